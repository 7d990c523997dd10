/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.observation.Observation;
import dev.sennit.correlation.engine.Correlated;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.export.ExportCounters;
import dev.sennit.tracing.span.SpanCount;
import java.util.Map;

/** What came of an observation, in a line. */
final class ObservationReport {
  private ObservationReport() {}

  /**
   * @param unkept how many requests to the store found no room there
   */
  static String of(Observation observation, long unkept) {
    long lost = observation.kernelCounters().getOrDefault(Outcome.EVENTS_LOST, 0L);
    long servers = observation.spanCounters().getOrDefault(SpanCount.SERVER, 0L);
    long clients = observation.spanCounters().getOrDefault(SpanCount.CLIENT, 0L);
    StringBuilder line = new StringBuilder();
    line.append(servers).append(" requests served, ").append(clients).append(" sent; ");
    line.append(observation.spans()).append(" spans");
    observation.exportCounters().ifPresent(exported -> append(line, exported));
    appendLines(line, observation);
    if (lost > 0) {
      line.append("; ").append(lost).append(" events lost");
    }
    if (unkept > 0) {
      line.append("; ").append(unkept).append(" batches not kept, for the store had no room");
    }
    return line.toString();
  }

  private static void appendLines(StringBuilder line, Observation observation) {
    Map<Correlated, Long> lines = observation.logCounters();
    long all = lines.values().stream().mapToLong(Long::longValue).sum();
    if (all > 0) {
      long tied = Correlated.TIED.stream().mapToLong(each -> lines.getOrDefault(each, 0L)).sum();
      line.append("; ").append(all).append(" lines, ").append(tied).append(" in a trace");
    }
    observation
        .logExportCounters()
        .filter(counters -> counters.droppedInAll() > 0)
        .ifPresent(
            counters ->
                line.append(", ")
                    .append(counters.droppedInAll())
                    .append(" requests with lines dropped"));
  }

  private static void append(StringBuilder line, ExportCounters counters) {
    if (counters.queued() > 0) {
      line.append(", of which ").append(counters.queued()).append(" requests wait on disk");
    }
    if (counters.droppedInAll() > 0) {
      line.append(", ").append(counters.droppedInAll()).append(" requests dropped");
    }
    counters.lastError().ifPresent(error -> line.append("; last error: ").append(error));
  }
}
