/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import org.jspecify.annotations.Nullable;

/**
 * Which traces are wanted: those of which one span meets all of the conditions. What is null does
 * not matter. Of how long they may take, the longest of these spans counts: nearly every trace has
 * a span that takes no time.
 *
 * @param range when the span started
 * @param operation its name
 * @param minDuration nanoseconds, included
 * @param maxDuration nanoseconds, included
 * @param status UNSET, OK or ERROR
 * @param attributeKey an attribute that it has
 * @param attributeValue the value of that attribute, as text
 * @param text what its name, the message of its status or its attributes contain, in whatever case
 */
public record TraceFilter(
    TimeRange range,
    @Nullable String service,
    @Nullable String operation,
    @Nullable Long minDuration,
    @Nullable Long maxDuration,
    @Nullable String status,
    @Nullable String attributeKey,
    @Nullable String attributeValue,
    @Nullable String text) {
  /** All traces in a range. */
  public static TraceFilter in(TimeRange range) {
    return new TraceFilter(range, null, null, null, null, null, null, null, null);
  }

  public TraceFilter service(@Nullable String name) {
    return new TraceFilter(
        range,
        name,
        operation,
        minDuration,
        maxDuration,
        status,
        attributeKey,
        attributeValue,
        text);
  }

  public TraceFilter operation(@Nullable String name) {
    return new TraceFilter(
        range, service, name, minDuration, maxDuration, status, attributeKey, attributeValue, text);
  }

  public TraceFilter duration(@Nullable Long min, @Nullable Long max) {
    return new TraceFilter(
        range, service, operation, min, max, status, attributeKey, attributeValue, text);
  }

  public TraceFilter status(@Nullable String wanted) {
    return new TraceFilter(
        range,
        service,
        operation,
        minDuration,
        maxDuration,
        wanted,
        attributeKey,
        attributeValue,
        text);
  }

  public TraceFilter attribute(@Nullable String key, @Nullable String value) {
    return new TraceFilter(
        range, service, operation, minDuration, maxDuration, status, key, value, text);
  }

  public TraceFilter text(@Nullable String wanted) {
    return new TraceFilter(
        range,
        service,
        operation,
        minDuration,
        maxDuration,
        status,
        attributeKey,
        attributeValue,
        wanted);
  }

  Conditions conditions() {
    return new Conditions()
        .within("start", range)
        .and("service = ?", service)
        .and("name = ?", operation)
        .and("duration_ns >= ?", minDuration)
        .and("status = ?", status)
        .attribute(attributeKey, attributeValue)
        .contains(text, "name", "status_message");
  }

  /** What holds for all of the spans of a trace that meet the conditions. */
  Conditions conditionsOfTraces() {
    return new Conditions().and("max(duration_ns) <= ?", maxDuration);
  }
}
