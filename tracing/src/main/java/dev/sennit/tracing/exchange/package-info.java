/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Requests with their responses, whatever the protocol: what a span will be made of, before it has
 * an identity.
 */
@NullMarked
package dev.sennit.tracing.exchange;

import org.jspecify.annotations.NullMarked;
