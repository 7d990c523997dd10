/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.List;

/**
 * A whole trace.
 *
 * @param start when its first span started, in nanoseconds since 1970
 * @param duration from there to the end of its last span, in nanoseconds
 * @param spans as a tree: every span after its parent, those of one parent by their start
 * @param logs the lines that name the trace, by time
 * @param processes those that the spans and lines came from
 */
public record TraceDetail(
    String traceId,
    long start,
    long duration,
    Page<PlacedSpan> spans,
    Page<LogLine> logs,
    List<ProcessInfo> processes) {
  public TraceDetail {
    processes = List.copyOf(processes);
  }

  /**
   * A span in the tree.
   *
   * @param parent the place of its parent in the list; -1 for a root, which every span is whose
   *     parent is not there, or that is its own ancestor
   */
  public record PlacedSpan(SpanDetail span, int parent, int depth) {}
}
