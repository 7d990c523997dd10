/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.demo;

import dev.sennit.cli.demo.Customers.Visit;
import dev.sennit.store.query.SqlRows;
import dev.sennit.store.query.StoreQueries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares what was seen of the shop with what its customers did. The truth is in the requests:
 * each has a number, which stands in its addresses and in its lines.
 */
public final class DemoCheck {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Pattern NUMBER = Pattern.compile("(?:[?&]?id=|request )(\\d+)");
  private static final String REPORT = "/report";

  private static final String SERVED =
      """
      SELECT trace_id, service, attributes ->> '/url.query', attributes ->> '/url.path'
      FROM spans
      WHERE kind = 'SERVER' AND attributes ->> '/url.query' IS NOT NULL
      """;

  private static final String SPANS_OF_TRACES =
      "SELECT count(*), count(DISTINCT trace_id) FROM spans";

  private static final String LINES =
      "SELECT body, trace_id FROM logs WHERE body LIKE '%request %:%'";

  /** On the threads that serve: the pool of the gateway, and what carries the virtual threads. */
  private static final String SAMPLES =
      """
      SELECT
        trace_id,
        list_has_any(
          frame_ids, (SELECT list(frame_id) FROM frames WHERE name LIKE '%Gateway.computeReport%'))
      FROM samples JOIN stacks USING (stack_id)
      WHERE type = 'cpu'
        AND (thread_name LIKE 'gateway-%' OR service = 'Orders' AND thread_name LIKE 'ForkJoinPool%')
      """;

  private final StoreQueries queries;
  private final List<Visit> visits;

  /** The traces in which requests of a number were served, and by whom. */
  private final Map<Integer, Map<String, Set<String>>> traces = new HashMap<>();

  private final Map<String, Set<Integer>> numbers = new HashMap<>();

  /** The traces of reports, also of those that nobody waited for when the shop closed. */
  private final Set<String> reports = new HashSet<>();

  private final List<Figure> figures = new ArrayList<>();
  private long wrong;

  private DemoCheck(StoreQueries queries, List<Visit> visits) {
    this.queries = queries;
    this.visits = List.copyOf(visits);
  }

  /**
   * Something that was counted.
   *
   * @param value as people read it
   * @param wanted what it must be at least; empty if it is only told
   */
  public record Figure(String name, String value, String wanted, boolean isReached) {}

  /** Compares; the figures in an order for people. */
  public static List<Figure> of(StoreQueries queries, List<Visit> visits, boolean traced) {
    return new DemoCheck(queries, visits).check(traced);
  }

  private List<Figure> check(boolean traced) {
    long answered = visits.stream().filter(visit -> visit.status() > 0).count();
    figures.add(new Figure("requests", "" + answered, "100", answered >= 100));
    if (traced) {
      checkTraces();
      checkLines();
    }
    checkSamples(traced);
    if (traced) {
      figures.add(new Figure("tied wrongly", "" + wrong, "0", wrong == 0));
    }
    return figures;
  }

  private void checkTraces() {
    ask(
        SERVED,
        row -> {
          int number = number(text(row.get(2)));
          traces
              .computeIfAbsent(number, key -> new HashMap<>())
              .computeIfAbsent(text(row.get(0)), key -> new HashSet<>())
              .add(text(row.get(1)));
          numbers.computeIfAbsent(text(row.get(0)), key -> new HashSet<>()).add(number);
          if (text(row.get(3)).equals(REPORT)) {
            reports.add(text(row.get(0)));
          }
        });
    wrong += numbers.values().stream().filter(each -> each.size() > 1).count();
    long whole = visits.stream().filter(this::isWhole).count();
    figures.add(share("whole traces", whole, visits.size(), 95));
    ask(
        SPANS_OF_TRACES,
        row ->
            figures.add(
                new Figure(
                    "spans per trace",
                    String.format(
                        Locale.ROOT,
                        "%.1f",
                        (double) whole(row.get(0)) / Math.max(1, whole(row.get(1)))),
                    "",
                    true)));
  }

  /** All that served a request did so in one trace. */
  private boolean isWhole(Visit visit) {
    Map<String, Set<String>> found = traces.getOrDefault(visit.number(), Map.of());
    Set<String> wanted =
        visit.path().equals(REPORT) ? Set.of("Gateway") : Set.of("Gateway", "Orders", "prices");
    return found.size() == 1 && found.values().iterator().next().equals(wanted);
  }

  private void checkLines() {
    long[] lines = new long[2];
    ask(
        LINES,
        row -> {
          lines[0]++;
          String trace = text(row.get(1));
          if (!trace.isEmpty()) {
            lines[1]++;
            Set<Integer> served = numbers.getOrDefault(trace, Set.of());
            if (!served.isEmpty() && !served.contains(number(text(row.get(0))))) {
              wrong++;
            }
          }
        });
    figures.add(told("log lines", lines[0]));
    figures.add(share("lines tied to spans", lines[1], lines[0], 90));
  }

  private void checkSamples(boolean traced) {
    long[] samples = new long[2];
    ask(
        SAMPLES,
        row -> {
          samples[0]++;
          String trace = text(row.get(0));
          if (!trace.isEmpty()) {
            samples[1]++;
            boolean inReport = Boolean.TRUE.equals(row.get(1));
            if (inReport && numbers.containsKey(trace) && !reports.contains(trace)) {
              wrong++;
            }
          }
        });
    figures.add(told("samples on request threads", samples[0]));
    if (traced) {
      figures.add(share("samples tied to spans", samples[1], samples[0], 60));
    }
  }

  private static Figure told(String name, long number) {
    return new Figure(name, "" + number, "1", number > 0);
  }

  private static Figure share(String name, long part, long whole, int wanted) {
    double percent = whole == 0 ? 0 : 100.0 * part / whole;
    return new Figure(
        name,
        String.format(Locale.ROOT, "%d of %d, %.1f %%", part, whole, percent),
        wanted + " %",
        percent >= wanted);
  }

  private interface Reading {
    void read(List<@Nullable Object> row);
  }

  private void ask(String sql, Reading reading) {
    try (SqlRows answer = queries.sql().ask(sql, PATIENCE)) {
      for (@Nullable List<@Nullable Object> row = answer.next(); row != null; row = answer.next()) {
        reading.read(row);
      }
    }
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  private static long whole(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  private static int number(String text) {
    Matcher matcher = NUMBER.matcher(text);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
  }
}
