/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import dev.sennit.cli.observation.Load;
import dev.sennit.cli.observation.Observation;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.otlp.export.ExportCounters;
import dev.sennit.tracing.span.SpanCount;
import dev.sennit.tracing.stitch.StitcherCounts;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The metrics of an observation. */
final class ObservationMetrics {
  private static final Set<SpanCount> SIDES = EnumSet.of(SpanCount.SERVER, SpanCount.CLIENT);
  private static final double NANOS = 1e9;

  private ObservationMetrics() {}

  static List<Metric> of(Observation observation) {
    List<Metric> metrics = new ArrayList<>();
    addKernel(observation, metrics);
    addTracing(observation, metrics);
    observation
        .exportCounters()
        .ifPresent(counters -> addExport("sennit.export", "span", counters, metrics));
    metrics.add(
        Metric.counters(
            "sennit.log.lines",
            "{line}",
            "Lines of logs, by how their spans were found, or why they were not.",
            "result",
            observation.logCounters()));
    metrics.add(
        Metric.counter(
            "sennit.log.records", "{record}", "Log records that went out.", observation.records()));
    observation
        .logExportCounters()
        .ifPresent(counters -> addExport("sennit.log.export", "log record", counters, metrics));
    return metrics;
  }

  private static void addKernel(Observation observation, List<Metric> metrics) {
    Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, 0L);
    }
    outcomes.putAll(observation.kernelCounters());
    outcomes.remove(Outcome.NONE);
    metrics.add(
        Metric.gauge(
            "sennit.hook.active",
            "",
            "Whether programs in the kernel see requests now: 1 if so.",
            observation.isActive() ? 1 : 0));
    metrics.add(
        Metric.counters(
            "sennit.kernel.outcomes",
            "{outcome}",
            "What became of what the programs in the kernel saw.",
            "outcome",
            outcomes));
    metrics.add(
        Metric.gauge(
            "sennit.kernel.lag",
            "s",
            "How old an event was when it was taken from the kernel's ring, at the last look.",
            observation.load().lag().toNanos() / NANOS));
  }

  private static void addTracing(Observation observation, List<Metric> metrics) {
    Load load = observation.load();
    metrics.add(
        Metric.gauge(
            "sennit.connections",
            "{connection}",
            "Connections that are followed.",
            load.connections()));
    metrics.add(
        Metric.gauge(
            "sennit.connections.held",
            "By",
            "Captured bytes that wait to be understood.",
            (double) load.heldBytes()));
    Map<SpanCount, Long> sides = new EnumMap<>(observation.spanCounters());
    sides.keySet().retainAll(SIDES);
    metrics.add(
        Metric.counters(
            "sennit.exchanges", "{exchange}", "Requests with their responses.", "side", sides));
    Map<SpanCount, Long> decisions = new EnumMap<>(observation.spanCounters());
    decisions.keySet().removeAll(SIDES);
    metrics.add(
        Metric.counters(
            "sennit.exchange.decisions",
            "{decision}",
            "What was decided about their spans; several may hold for one.",
            "decision",
            decisions));
    StitcherCounts joined = observation.stitcherCounters();
    Map<String, Long> results = new LinkedHashMap<>();
    results.put("injected", joined.injected());
    results.put("adopted", joined.adopted());
    results.put("stitched", joined.stitched());
    results.put("orphaned", joined.orphaned());
    results.put("ambiguous", joined.ambiguous());
    results.put("evicted", joined.evicted());
    results.put("late", joined.late());
    metrics.add(
        Metric.counters(
            "sennit.stitcher.spans",
            "{span}",
            "What joins spans to the other side of their exchange.",
            "result",
            results));
    metrics.add(
        Metric.counter("sennit.spans", "{span}", "Spans that went out.", observation.spans()));
    metrics.add(
        Metric.counters(
            "sennit.protocol.lost",
            "{loss}",
            "What was not understood of connections, by reason.",
            "reason",
            observation.lostCounters()));
  }

  private static void addExport(
      String prefix, String noun, ExportCounters counters, List<Metric> metrics) {
    metrics.add(
        Metric.counter(
            prefix + ".sent",
            "{request}",
            "Requests with " + noun + "s that the collector has.",
            counters.sent()));
    metrics.add(
        Metric.counter(
            prefix + ".resent",
            "{request}",
            "Times that a request went out again because its answer had been lost.",
            counters.resent()));
    metrics.add(
        Metric.counter(
            prefix + ".rejected",
            "{" + noun.replace(' ', '_') + "}",
            noun.substring(0, 1).toUpperCase(Locale.ROOT)
                + noun.substring(1)
                + "s that the collector refused in requests that it took.",
            counters.partlyRejected()));
    metrics.add(
        Metric.counters(
            prefix + ".dropped",
            "{request}",
            "Requests that were given up, by reason.",
            "reason",
            new EnumMap<>(counters.dropped())));
    metrics.add(
        Metric.gauge(
            prefix + ".queued", "{request}", "Requests that wait on disk.", counters.queued()));
    metrics.add(
        Metric.gauge(
            prefix + ".queue", "By", "What they take there.", (double) counters.queuedBytes()));
  }
}
