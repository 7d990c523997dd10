/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.store;

import dev.sennit.bench.NumberOption;
import dev.sennit.intake.MalformedException;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.query.LogFilter;
import dev.sennit.store.query.LogQueries;
import dev.sennit.store.query.ProcessQueries;
import dev.sennit.store.query.ProfileFilter;
import dev.sennit.store.query.ProfileQueries;
import dev.sennit.store.query.ServiceQueries;
import dev.sennit.store.query.StoreQueries;
import dev.sennit.store.query.TimeRange;
import dev.sennit.store.query.TraceFilter;
import dev.sennit.store.query.TraceQueries;
import dev.sennit.store.write.WriterState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sends a store spans and log lines for some time, lets one of small bounds run over, and asks one
 * of a million spans what the page asks.
 */
public final class StoreBench {
  private static final NumberOption SECONDS = new NumberOption("--seconds", 2, 30);
  private static final NumberOption RATE = new NumberOption("--rate", 1000, 20_000);
  private static final NumberOption SPANS = new NumberOption("--spans", 10_000, 1_000_000);
  private static final NumberOption SMALL = new NumberOption("--small-mib", 128, 128);

  private static final double MOST_CORES = 1.5;
  private static final double MOST_MILLIS = 1000;
  private static final int ASKED = 5;
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private boolean allMet = true;

  private StoreBench() {}

  public static void main(String[] arguments) throws InterruptedException, MalformedException {
    Map<NumberOption, Integer> options = NumberOption.parse(arguments, SECONDS, RATE, SPANS, SMALL);
    StoreBench bench = new StoreBench();
    int seconds = options.getOrDefault(SECONDS, SECONDS.defaultValue());
    int rate = options.getOrDefault(RATE, RATE.defaultValue());
    System.out.printf(
        Locale.ROOT, "%,d spans and as many log lines a second for %d s:%n%n", rate, seconds);
    System.out.println(
        "| bound, MiB | spans/s | cores | refused | lost | removed rows | most on disk, MiB |"
            + " resident, MiB | met |\n|---|---|---|---|---|---|---|---|---|");
    StoreSettings plain = StoreSettings.NAMED;
    long small = (long) options.getOrDefault(SMALL, SMALL.defaultValue()) << 20;
    bench.feed(plain, seconds, rate);
    bench.feed(plain.withMaxBytes(small), seconds, rate);
    bench.ask(plain, options.getOrDefault(SPANS, SPANS.defaultValue()));
    System.exit(bench.allMet ? 0 : 1);
  }

  private void feed(StoreSettings settings, int seconds, int rate)
      throws InterruptedException, MalformedException {
    try (TelemetryStore store = TelemetryStore.temporary(settings)) {
      Feeding.Outcome outcome = new Feeding(store, false).run((long) seconds * rate, rate);
      WriterState written = store.statistics().written();
      // Of what was sent, not only of what the store knows to have lost.
      long lost = 2 * outcome.spans() - written.spans() - written.logs();
      double cores = outcome.cpuSeconds() / outcome.seconds();
      boolean met =
          lost == 0
              && outcome.seconds() < seconds * 1.1
              && cores <= MOST_CORES
              && outcome.mostBytes() <= settings.maxBytes();
      allMet &= met;
      System.out.printf(
          Locale.ROOT,
          "| %d | %,.0f | %.2f | %d | %d | %,d | %d | %d | %s |%n",
          settings.maxBytes() >> 20,
          outcome.spans() / outcome.seconds(),
          cores,
          outcome.refused(),
          lost,
          written.pruned(),
          outcome.mostBytes() >> 20,
          Feeding.residentBytes() >> 20,
          met ? "yes" : "NO");
    }
  }

  private void ask(StoreSettings settings, int spans)
      throws InterruptedException, MalformedException {
    try (TelemetryStore store = TelemetryStore.temporary(settings)) {
      Feeding.Outcome outcome = new Feeding(store, true).run(spans, Integer.MAX_VALUE);
      System.out.printf(
          Locale.ROOT,
          "%n%,d spans, log lines and samples, as fast as they go: %,.0f of each a second,"
              + " %.1f µs of processor time for all three, %d bytes on disk for them%n%n",
          spans,
          outcome.spans() / outcome.seconds(),
          outcome.cpuSeconds() * 1e6 / outcome.spans(),
          store.statistics().bytesOnDisk() / outcome.spans());
      System.out.println(
          "| question | median ms | most ms | processor ms | met |\n|---|---|---|---|---|");
      ask(store.queries());
    }
  }

  private void ask(StoreQueries queries) {
    TraceFilter any = TraceFilter.in(TimeRange.ALL);
    String trace = queries.traces().search(any, 1).items().getFirst().traceId();
    long last = queries.traces().points(any, 1).items().getFirst().start();
    // All of it, as the page asks: by a range.
    TimeRange lately = new TimeRange(last - HOUR, last + HOUR);
    askTraces(queries.traces(), TraceFilter.in(lately), trace);
    askServices(queries.services(), lately);
    askLogs(queries.logs(), LogFilter.in(lately), trace);
    askProfiles(queries.profiles(), lately, trace);
    ProcessQueries processes = queries.processes();
    time("processes", () -> processes.list(100));
  }

  private void askTraces(TraceQueries traces, TraceFilter all, String trace) {
    time("the latest traces", () -> traces.search(all, 100));
    time("the slowest traces", () -> traces.slowest(all, 100));
    time("keys of attributes", () -> traces.attributeKeys(all.range(), 200));
    time("traces by service", () -> traces.search(all.service("service-3"), 100));
    time("traces by name", () -> traces.search(all.operation("GET /api/thing/7"), 100));
    time("traces by duration", () -> traces.search(all.duration(99_000_000L, null), 100));
    time("traces by status", () -> traces.search(all.status("ERROR"), 100));
    time(
        "traces by service, name, duration and status",
        () ->
            traces.search(
                all.service("service-3")
                    .operation("GET /api/thing/7")
                    .duration(50_000_000L, null)
                    .status("ERROR"),
                100));
    time("traces by an attribute", () -> traces.search(all.attribute("user.id", "4711"), 100));
    time("traces that have an attribute", () -> traces.search(all.attribute("user.id", null), 100));
    time("traces by text", () -> traces.search(all.text("thing/77"), 100));
    time("traces by text that none has", () -> traces.search(all.text("not there"), 100));
    time("5,000 points", () -> traces.points(all, 5000));
    time("5,000 points by text", () -> traces.points(all.text("thing/77"), 5000));
    time("one trace", () -> traces.trace(trace, 1000));
  }

  private void askServices(ServiceQueries services, TimeRange lately) {
    time("the overview", () -> services.overview(lately, 60, 100));
    time("the service map", () -> services.map(lately, 100));
    time("operations of a service", () -> services.operations("service-3", lately, 100));
  }

  private void askLogs(LogQueries logs, LogFilter all, String trace) {
    time("the newest log lines", () -> logs.search(all, 200));
    time(
        "log lines by service and severity",
        () -> logs.search(all.service("service-3").minSeverity(17), 200));
    time("log lines by text", () -> logs.search(all.text("of user 4711 is"), 200));
    time("log lines over time, by severity", () -> logs.counts(all, 120));
    time("log lines of a trace", () -> logs.search(all.of(trace, null), 200));
  }

  private void askProfiles(ProfileQueries profiles, TimeRange lately, String trace) {
    ProfileFilter all = ProfileFilter.of("cpu", lately);
    time("types of samples", () -> profiles.types(ProfileFilter.within(lately)));
    time("threads with samples", () -> profiles.threads(all, 100));
    time("services and span names with samples", () -> names(profiles, all));
    time("samples over time", () -> profiles.times(all, (lately.to() - lately.from()) / 120));
    time("a flame graph of all", () -> profiles.flame(all, 5000));
    time("a flame graph of a service", () -> profiles.flame(all.service("service-3"), 5000));
    time(
        "a flame graph of spans by name",
        () -> profiles.flame(all.spanName("GET /api/thing/7"), 5000));
    time("a flame graph of a trace", () -> profiles.flame(all.in(trace, null), 5000));
  }

  private static void names(ProfileQueries profiles, ProfileFilter all) {
    profiles.services(all, 200);
    profiles.spanNames(all, 200);
  }

  private void time(String question, Runnable asking) {
    List<Double> millis = new ArrayList<>();
    long cpu = Feeding.processCpu();
    for (int i = 0; i < ASKED; i++) {
      long begin = System.nanoTime();
      asking.run();
      millis.add((System.nanoTime() - begin) / 1e6);
    }
    Collections.sort(millis);
    boolean met = millis.getLast() <= MOST_MILLIS;
    allMet &= met;
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.0f | %s |%n",
        question,
        millis.get(ASKED / 2),
        millis.getLast(),
        (Feeding.processCpu() - cpu) / 1e6 / ASKED,
        met ? "yes" : "NO");
  }
}
