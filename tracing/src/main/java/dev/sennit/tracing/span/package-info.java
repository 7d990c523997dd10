/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Spans: exchanges with an identity, a place in the hierarchy, and the resource of their process.
 */
@NullMarked
package dev.sennit.tracing.span;

import org.jspecify.annotations.NullMarked;
