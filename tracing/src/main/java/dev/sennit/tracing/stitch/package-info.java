/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Joins what went over the wire without ids: the CLIENT span of one process and the SERVER span of
 * another are found to be one exchange, by their connection, their times and what they say. It
 * works on spans alone, has no clock and no thread, and leaves alone what it cannot tell.
 */
@NullMarked
package dev.sennit.tracing.stitch;

import org.jspecify.annotations.NullMarked;
