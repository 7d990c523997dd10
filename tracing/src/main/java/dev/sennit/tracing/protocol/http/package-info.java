/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What all versions of HTTP have in common: the attributes of a request and of its response, and
 * what must not be in them.
 */
@NullMarked
package dev.sennit.tracing.protocol.http;

import org.jspecify.annotations.NullMarked;
