/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.span.Span;

/** A span, and when a stitcher gets to see it, in nanoseconds since 1970. */
public record Arrival(long time, Span span) {}
