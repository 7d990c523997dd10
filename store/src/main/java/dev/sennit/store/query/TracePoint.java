/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

/**
 * A trace as a point: of the spans that were looked for, the longest of the trace.
 *
 * @param start nanoseconds since 1970
 * @param duration nanoseconds
 * @param failed whether one of the spans that were looked for failed
 */
public record TracePoint(
    String traceId, String spanId, long start, long duration, boolean failed) {}
