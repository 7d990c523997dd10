/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import org.jspecify.annotations.Nullable;

/**
 * Which samples are wanted; all conditions must hold, and what is null does not matter.
 *
 * @param type what was sampled, as {@link SampleType} has it
 * @param spanName samples in spans of that name
 * @param thread the name of a thread
 */
public record ProfileFilter(
    @Nullable String type,
    TimeRange range,
    @Nullable String service,
    @Nullable String traceId,
    @Nullable String spanId,
    @Nullable String spanName,
    @Nullable String thread) {
  /** All samples of a type in a range. */
  public static ProfileFilter of(String type, TimeRange range) {
    return within(range).type(type);
  }

  /** All samples in a range. */
  public static ProfileFilter within(TimeRange range) {
    return new ProfileFilter(null, range, null, null, null, null, null);
  }

  public ProfileFilter type(@Nullable String name) {
    return new ProfileFilter(name, range, service, traceId, spanId, spanName, thread);
  }

  public ProfileFilter range(TimeRange other) {
    return new ProfileFilter(type, other, service, traceId, spanId, spanName, thread);
  }

  public ProfileFilter service(@Nullable String name) {
    return new ProfileFilter(type, range, name, traceId, spanId, spanName, thread);
  }

  /** Samples in a trace, or in one span of it. */
  public ProfileFilter in(@Nullable String trace, @Nullable String span) {
    return new ProfileFilter(type, range, service, trace, span, spanName, thread);
  }

  public ProfileFilter spanName(@Nullable String name) {
    return new ProfileFilter(type, range, service, traceId, spanId, name, thread);
  }

  public ProfileFilter thread(@Nullable String name) {
    return new ProfileFilter(type, range, service, traceId, spanId, spanName, name);
  }

  Conditions conditions() {
    return new Conditions()
        .and("type = ?", type)
        .within("time", range)
        .and("service = ?", service)
        .and("trace_id = ?", traceId)
        .and("span_id = ?", spanId)
        .and("thread_name = ?", thread)
        .and(
            "(trace_id, span_id) IN (SELECT (trace_id, span_id) FROM spans WHERE name = ?)",
            spanName);
  }
}
