/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A span with all that is known of it.
 *
 * @param parentSpanId as the span says it, whether or not there is such a span
 * @param start nanoseconds since 1970
 * @param duration nanoseconds
 * @param attributes an object of JSON
 */
public record SpanDetail(
    String spanId,
    @Nullable String parentSpanId,
    String service,
    String name,
    String kind,
    long start,
    long duration,
    String status,
    @Nullable String statusMessage,
    @Nullable String attributes,
    @Nullable String scope,
    @Nullable String traceState,
    long processId,
    List<Event> events,
    List<Link> links) {
  public SpanDetail {
    events = List.copyOf(events);
    links = List.copyOf(links);
  }

  /**
   * Something that happened in the span.
   *
   * @param time nanoseconds since 1970
   */
  public record Event(long time, String name, @Nullable String attributes) {}

  /** Another span that it has to do with. */
  public record Link(String traceId, String spanId, @Nullable String attributes) {}
}
