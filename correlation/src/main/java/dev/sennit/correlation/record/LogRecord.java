/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.record;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record of a log, as it is exported.
 *
 * @param time when it says that it happened, else when it was written; nanoseconds since 1970
 * @param observed when it was written
 * @param severityText as its writer has it; null if it does not say it
 * @param body the message in UTF-8, or in whatever it was written
 * @param resource of the process that wrote it
 * @param span the span that it belongs to; null where that is not certain
 * @param found how that was found; null where it was not
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them, and copies would cost
public record LogRecord(
    long time,
    long observed,
    Severity severity,
    @Nullable String severityText,
    byte[] body,
    Map<String, AttributeValue> attributes,
    Resource resource,
    @Nullable SpanContext span,
    @Nullable Found found) {

  /** The same record in a span. */
  public LogRecord in(SpanContext newSpan, Found how) {
    return new LogRecord(
        time, observed, severity, severityText, body, attributes, resource, newSpan, how);
  }
}
