/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import org.jspecify.annotations.Nullable;

/**
 * As much of a log record as a list shows.
 *
 * @param seq its number: a line that was stored later has a larger one
 * @param time nanoseconds since 1970
 * @param severity by OpenTelemetry's scale, 1 to 24; 0 if it has none
 * @param body its beginning
 * @param cut whether the body is longer than what is here
 * @param correlation how Sennit found its span
 */
public record LogHead(
    long seq,
    long time,
    String service,
    int severity,
    @Nullable String severityText,
    @Nullable String eventName,
    @Nullable String body,
    boolean cut,
    @Nullable String traceId,
    @Nullable String spanId,
    @Nullable Long threadId,
    @Nullable String threadName,
    @Nullable String correlation) {}
