/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Connections: the bytes that were heard of each are put in order, what it speaks is found out, and
 * the parser of that protocol is fed. Memory is bounded, per connection and in all.
 */
@NullMarked
package dev.sennit.tracing.connection;

import org.jspecify.annotations.NullMarked;
