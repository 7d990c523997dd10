/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import org.jspecify.annotations.Nullable;

/**
 * Which log lines are wanted; all conditions must hold, and what is null does not matter.
 *
 * @param minSeverity by OpenTelemetry's scale, included
 * @param text what the body or the attributes contain, in whatever case
 * @param thread what the name of the thread contains, in whatever case, or its number
 * @param attributeKey an attribute that it has
 * @param attributeValue the value of that attribute, as text
 * @param after only lines that were stored after the one of this number, in the order in which they
 *     were stored; without it the newest come first
 */
public record LogFilter(
    TimeRange range,
    @Nullable String service,
    @Nullable Integer minSeverity,
    @Nullable String text,
    @Nullable String thread,
    @Nullable String attributeKey,
    @Nullable String attributeValue,
    @Nullable String traceId,
    @Nullable String spanId,
    @Nullable Long after) {
  /** All lines in a range. */
  public static LogFilter in(TimeRange range) {
    return new LogFilter(range, null, null, null, null, null, null, null, null, null);
  }

  /** The same in another range. */
  public LogFilter range(TimeRange other) {
    return new LogFilter(
        other,
        service,
        minSeverity,
        text,
        thread,
        attributeKey,
        attributeValue,
        traceId,
        spanId,
        after);
  }

  public LogFilter service(@Nullable String name) {
    return new LogFilter(
        range,
        name,
        minSeverity,
        text,
        thread,
        attributeKey,
        attributeValue,
        traceId,
        spanId,
        after);
  }

  public LogFilter minSeverity(@Nullable Integer least) {
    return new LogFilter(
        range, service, least, text, thread, attributeKey, attributeValue, traceId, spanId, after);
  }

  public LogFilter text(@Nullable String wanted) {
    return new LogFilter(
        range,
        service,
        minSeverity,
        wanted,
        thread,
        attributeKey,
        attributeValue,
        traceId,
        spanId,
        after);
  }

  public LogFilter thread(@Nullable String nameOrNumber) {
    return new LogFilter(
        range,
        service,
        minSeverity,
        text,
        nameOrNumber,
        attributeKey,
        attributeValue,
        traceId,
        spanId,
        after);
  }

  public LogFilter attribute(@Nullable String key, @Nullable String value) {
    return new LogFilter(
        range, service, minSeverity, text, thread, key, value, traceId, spanId, after);
  }

  /** Lines of a trace, or of one span of it. */
  public LogFilter of(@Nullable String trace, @Nullable String span) {
    return new LogFilter(
        range,
        service,
        minSeverity,
        text,
        thread,
        attributeKey,
        attributeValue,
        trace,
        span,
        after);
  }

  public LogFilter after(@Nullable Long seq) {
    return new LogFilter(
        range,
        service,
        minSeverity,
        text,
        thread,
        attributeKey,
        attributeValue,
        traceId,
        spanId,
        seq);
  }

  Conditions conditions() {
    Conditions conditions =
        new Conditions()
            .within("time", range)
            .and("service = ?", service)
            .and("severity >= ?", minSeverity)
            .and("trace_id = ?", traceId)
            .and("span_id = ?", spanId)
            .and("seq > ?", after)
            .attribute(attributeKey, attributeValue)
            .contains(text, "body");
    return thread == null
        ? conditions
        : conditions.andAll(
            "(contains(lower(thread_name), lower(?)) OR thread_id::VARCHAR = ?)", thread, thread);
  }
}
