/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import org.jspecify.annotations.Nullable;

/**
 * A log record.
 *
 * @param seq its number: a line that was stored later has a larger one
 * @param time nanoseconds since 1970
 * @param severity by OpenTelemetry's scale, 1 to 24; 0 if it has none
 * @param attributes an object of JSON
 */
public record LogLine(
    long seq,
    long time,
    String service,
    int severity,
    @Nullable String severityText,
    @Nullable String eventName,
    @Nullable String body,
    @Nullable String attributes,
    @Nullable String traceId,
    @Nullable String spanId,
    @Nullable Long pid,
    @Nullable Long threadId,
    @Nullable String threadName,
    @Nullable String scope,
    long processId) {}
