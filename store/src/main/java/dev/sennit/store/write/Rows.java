/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of the tables, in the order of their columns; times are nanoseconds since 1970. */
final class Rows {
  private Rows() {}

  record SpanRow(
      String traceId,
      String spanId,
      @Nullable String parentSpanId,
      String service,
      String name,
      String kind,
      @Nullable String peer,
      long start,
      long duration,
      String status,
      @Nullable String statusMessage,
      @Nullable String attributes,
      @Nullable String scope,
      @Nullable String traceState,
      long processId,
      List<EventRow> events,
      List<LinkRow> links) {}

  record EventRow(long time, String name, @Nullable String attributes) {}

  record LinkRow(String traceId, String spanId, @Nullable String attributes) {}

  record LogRow(
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

  /**
   * The samples of a profile.
   *
   * @param profileId null if it has none
   */
  record ProfileRows(@Nullable String profileId, List<SampleRow> samples) {}

  record SampleRow(
      long time,
      long interval,
      String type,
      String unit,
      long value,
      @Nullable Long period,
      long stackId,
      String service,
      @Nullable String traceId,
      @Nullable String spanId,
      @Nullable Long threadId,
      @Nullable String threadName,
      @Nullable String attributes,
      long processId) {}

  record StackRow(long stackId, List<Long> frameIds) {}

  record FrameRow(
      long frameId,
      String name,
      @Nullable String file,
      @Nullable Long line,
      @Nullable String kind) {}

  record ProcessRow(
      long processId,
      String service,
      @Nullable String instance,
      @Nullable String host,
      @Nullable Long pid,
      @Nullable String resource) {}
}
