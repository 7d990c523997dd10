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
import dev.sennit.store.query.ProcessQueries;
import dev.sennit.store.query.StoreQueries;
import dev.sennit.store.query.TimeRange;
import dev.sennit.store.query.TraceFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
            + " heap, MiB | met |\n|---|---|---|---|---|---|---|---|---|");
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
      Feeding.Outcome outcome = new Feeding(store).run((long) seconds * rate, rate);
      long lost = store.statistics().written().lost();
      double cores = outcome.cpuSeconds() / outcome.seconds();
      boolean met =
          lost == 0
              && outcome.seconds() < seconds * 1.1
              && cores <= MOST_CORES
              && outcome.mostBytes() <= settings.maxBytes();
      allMet &= met;
      Runtime runtime = Runtime.getRuntime();
      System.out.printf(
          Locale.ROOT,
          "| %d | %,.0f | %.2f | %d | %d | %,d | %d | %d | %s |%n",
          settings.maxBytes() >> 20,
          outcome.spans() / outcome.seconds(),
          cores,
          outcome.refused(),
          lost,
          store.statistics().written().pruned(),
          outcome.mostBytes() >> 20,
          (runtime.totalMemory() - runtime.freeMemory()) >> 20,
          met ? "yes" : "NO");
    }
  }

  private void ask(StoreSettings settings, int spans)
      throws InterruptedException, MalformedException {
    try (TelemetryStore store = TelemetryStore.temporary(settings)) {
      Feeding.Outcome outcome = new Feeding(store).run(spans, Integer.MAX_VALUE);
      System.out.printf(
          Locale.ROOT,
          "%n%,d spans and as many log lines, as fast as they go: %,.0f of each a second,"
              + " %.1f µs of processor time for both, %d bytes on disk for both%n%n",
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
    TimeRange all = TimeRange.ALL;
    TraceFilter traces = TraceFilter.in(all);
    String trace = queries.traces().search(traces, 1).items().getFirst().traceId();
    long from = queries.traces().points(traces, 1).items().getFirst().start();
    TimeRange lately = new TimeRange(from - 60_000_000_000L, from + 60_000_000_000L);
    time("the latest traces", () -> queries.traces().search(traces, 100));
    time(
        "traces by an attribute",
        () -> queries.traces().search(traces.attribute("user.id", "4711"), 100));
    time(
        "traces by service, name, duration and status",
        () ->
            queries
                .traces()
                .search(
                    traces
                        .service("service-3")
                        .operation("GET /api/thing/7")
                        .duration(50_000_000L, null)
                        .status("ERROR"),
                    100));
    time("traces by text", () -> queries.traces().search(traces.text("thing/77"), 100));
    time("5,000 points", () -> queries.traces().points(traces, 5000));
    time("one trace", () -> queries.traces().trace(trace, 1000));
    time("the overview", () -> queries.services().overview(lately, 60, 100));
    time("the service map", () -> queries.services().map(lately, 100));
    time("operations of a service", () -> queries.services().operations("service-3", all, 100));
    time("the newest log lines", () -> queries.logs().search(LogFilter.in(all), 200));
    time(
        "log lines by text",
        () -> queries.logs().search(LogFilter.in(all).text("of user 4711 is"), 200));
    ProcessQueries processes = queries.processes();
    time("processes", () -> processes.list(100));
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
