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
import java.util.Optional;

/** What came of an observation, in a line. */
final class ObservationReport {
  private ObservationReport() {}

  /**
   * @param unexported what to say where nothing is exported
   */
  static String of(Observation observation, String unexported) {
    long lost = observation.kernelCounters().getOrDefault(Outcome.EVENTS_LOST, 0L);
    long servers = observation.spanCounters().getOrDefault(SpanCount.SERVER, 0L);
    long clients = observation.spanCounters().getOrDefault(SpanCount.CLIENT, 0L);
    StringBuilder line = new StringBuilder();
    line.append(servers).append(" requests served, ").append(clients).append(" sent; ");
    Optional<ExportCounters> exported = observation.exportCounters();
    if (exported.isPresent()) {
      append(line, observation.spans(), exported.get());
    } else {
      line.append(unexported);
    }
    appendLines(line, observation);
    if (lost > 0) {
      line.append("; ").append(lost).append(" events lost");
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

  private static void append(StringBuilder line, long spans, ExportCounters counters) {
    line.append(spans).append(" spans");
    if (counters.queued() > 0) {
      line.append(", of which ").append(counters.queued()).append(" requests wait on disk");
    }
    if (counters.droppedInAll() > 0) {
      line.append(", ").append(counters.droppedInAll()).append(" requests dropped");
    }
    counters.lastError().ifPresent(error -> line.append("; last error: ").append(error));
  }
}
