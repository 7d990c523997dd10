/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sennit.store.Otlp;
import dev.sennit.store.StoreSettings;
import dev.sennit.store.TelemetryStore;
import dev.sennit.store.query.GeneratedSpans.Sent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each answer beside the one that Java finds in the same spans. */
class ServiceAndTraceQueriesTest {
  private static final TimeRange RANGE =
      new TimeRange(
          GeneratedSpans.BEGIN + 10 * GeneratedSpans.SECOND,
          GeneratedSpans.BEGIN + 50 * GeneratedSpans.SECOND);
  private static final int MANY = 10_000;

  private static TelemetryStore store;
  private static List<Sent> all;
  private static List<Sent> inRange;

  @BeforeAll
  static void fill() throws InterruptedException {
    store = TelemetryStore.temporary(StoreSettings.TEMPORARY);
    all = GeneratedSpans.sendTo(store);
    inRange =
        all.stream()
            .filter(span -> span.start() >= RANGE.from() && span.start() < RANGE.to())
            .toList();
  }

  @AfterAll
  static void close() {
    store.close();
  }

  private static long quantile(List<Long> durations, double part) {
    List<Long> sorted = durations.stream().sorted().toList();
    return sorted.isEmpty()
        ? 0
        : sorted.get(Math.max(0, (int) Math.ceil(part * sorted.size()) - 1));
  }

  private static Latency latency(List<Sent> spans) {
    List<Long> durations = spans.stream().map(Sent::duration).toList();
    return new Latency(
        quantile(durations, 0.5), quantile(durations, 0.95), quantile(durations, 0.99));
  }

  private static long failed(List<Sent> spans) {
    return spans.stream().filter(Sent::failed).count();
  }

  @Test
  void theOverviewCountsRequestsByServiceAndTime() {
    int buckets = 8;
    long width = (RANGE.to() - RANGE.from()) / buckets;
    Map<String, List<Sent>> services =
        inRange.stream()
            .collect(Collectors.groupingBy(Sent::service, TreeMap::new, Collectors.toList()));
    List<ServiceOverview> expected = new ArrayList<>();
    services.forEach(
        (service, spans) -> {
          List<Sent> requests = spans.stream().filter(Sent::isRequest).toList();
          List<ServiceOverview.Bucket> parts = new ArrayList<>();
          requests.stream()
              .collect(
                  Collectors.groupingBy(
                      span -> (span.start() - RANGE.from()) / width,
                      TreeMap::new,
                      Collectors.toList()))
              .forEach(
                  (bucket, part) ->
                      parts.add(
                          new ServiceOverview.Bucket(
                              RANGE.from() + bucket * width,
                              part.size(),
                              failed(part),
                              latency(part))));
          expected.add(
              new ServiceOverview(
                  service,
                  spans.size(),
                  requests.size(),
                  failed(requests),
                  latency(requests),
                  parts));
        });
    assertThat(store.queries().services().overview(RANGE, buckets, 10))
        .isEqualTo(new Page<>(expected, false));

    ServiceOverview leastBusy =
        expected.stream().min(Comparator.comparingLong(ServiceOverview::spans)).orElseThrow();
    int fewer = expected.size() - 1;
    assertThat(store.queries().services().overview(RANGE, buckets, fewer))
        .isEqualTo(
            new Page<>(
                expected.stream().filter(service -> !service.equals(leastBusy)).toList(), true));
  }

  @Test
  void theMapHasCallsBetweenServicesAndToWhatHasNoSpans() {
    Map<String, Sent> byId = inRange.stream().collect(Collectors.toMap(Sent::spanId, s -> s));
    Map<String, List<Sent>> calls = new HashMap<>();
    for (Sent span : inRange) {
      Sent caller = span.parentId() == null ? null : byId.get(span.parentId());
      if (caller != null && !caller.service().equals(span.service())) {
        calls
            .computeIfAbsent(caller.service() + ">" + span.service(), x -> new ArrayList<>())
            .add(span);
      }
      if (span.database() != null) {
        calls
            .computeIfAbsent(span.service() + ">" + span.database(), x -> new ArrayList<>())
            .add(span);
      }
    }
    List<ServiceEdge> expected =
        calls.entrySet().stream()
            .map(
                call ->
                    new ServiceEdge(
                        call.getKey().split(">")[0],
                        call.getKey().split(">")[1],
                        !call.getKey().endsWith("postgresql"),
                        call.getValue().size(),
                        failed(call.getValue()),
                        latency(call.getValue()).p99()))
            .sorted(Comparator.comparingLong(ServiceEdge::calls).reversed())
            .toList();
    assertThat(expected).hasSize(3);
    assertThat(store.queries().services().map(RANGE, 10)).isEqualTo(new Page<>(expected, false));
    assertThat(store.queries().services().map(RANGE, 1))
        .isEqualTo(new Page<>(expected.subList(0, 1), true));
  }

  @Test
  void theOperationsOfAServiceAreItsNames() {
    List<Operation> expected =
        inRange.stream()
            .filter(span -> span.service().equals("orders"))
            .collect(Collectors.groupingBy(Sent::name))
            .values()
            .stream()
            .map(
                spans ->
                    new Operation(
                        spans.getFirst().name(),
                        spans.getFirst().kind(),
                        spans.size(),
                        failed(spans),
                        spans.stream().mapToLong(Sent::duration).sum(),
                        latency(spans)))
            .sorted(Comparator.comparingLong(Operation::spans).reversed())
            .toList();
    assertThat(store.queries().services().operations("orders", RANGE, 10))
        .isEqualTo(new Page<>(expected, false));
  }

  private static void assertFound(TraceFilter filter, Predicate<Sent> wanted) {
    Map<String, Long> latest =
        all.stream()
            .filter(wanted)
            .collect(Collectors.toMap(Sent::traceId, Sent::start, Math::max));
    List<String> expected =
        latest.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .toList();
    assertThat(expected).isNotEmpty();
    TraceQueries traces = store.queries().traces();
    Page<TraceSummary> found = traces.search(filter, MANY);
    assertThat(found.items()).extracting(TraceSummary::traceId).isEqualTo(expected);
    assertThat(found.items()).allSatisfy(ServiceAndTraceQueriesTest::assertSummary);
    assertThat(traces.points(filter, MANY).items())
        .extracting(TracePoint::traceId)
        .isEqualTo(expected);
    if (expected.size() > 1) {
      Page<TraceSummary> cut = traces.search(filter, expected.size() - 1);
      assertThat(cut.more()).isTrue();
      assertThat(cut.items()).isEqualTo(found.items().subList(0, expected.size() - 1));
    }
  }

  private static void assertSummary(TraceSummary summary) {
    List<Sent> spans =
        all.stream().filter(span -> span.traceId().equals(summary.traceId())).toList();
    long start = spans.stream().mapToLong(Sent::start).min().orElseThrow();
    assertThat(summary)
        .isEqualTo(
            new TraceSummary(
                summary.traceId(),
                start,
                spans.stream().mapToLong(Sent::end).max().orElseThrow() - start,
                "gateway",
                spans.getFirst().name(),
                spans.size(),
                failed(spans),
                spans.stream().map(Sent::service).distinct().sorted().toList()));
  }

  @Test
  void tracesAreFoundByEveryCondition() {
    TraceFilter any = TraceFilter.in(TimeRange.ALL);
    assertFound(any, span -> true);
    assertFound(TraceFilter.in(RANGE), inRange::contains);
    assertFound(any.service("prices"), span -> span.service().equals("prices"));
    assertFound(any.operation("GET /3"), span -> span.name().equals("GET /3"));
    assertFound(any.duration(900_000L, null), span -> span.duration() >= 900_000);
    assertFound(any.duration(null, 600_000L), span -> longest(span, x -> true) <= 600_000);
    assertFound(
        any.service("prices").duration(50_000L, 600_000L),
        span -> {
          long longest = longest(span, x -> x.service().equals("prices"));
          return span.service().equals("prices") && longest >= 50_000 && longest <= 600_000;
        });
    assertFound(any.status("ERROR"), Sent::failed);
    assertFound(any.attribute("user/id~x", "user-7"), span -> span.user().equals("user-7"));
    assertFound(any.attribute("db.system.name", null), span -> span.database() != null);
    assertFound(any.text("OSTGRE"), span -> span.database() != null);
    assertFound(any.text("get /2"), span -> span.name().equals("GET /2"));
    assertFound(
        TraceFilter.in(RANGE).service("orders").status("ERROR").duration(100_000L, 900_000L),
        span ->
            inRange.contains(span)
                && span.service().equals("orders")
                && span.failed()
                && span.duration() >= 100_000
                && span.duration() <= 900_000
                && longest(
                        span,
                        x -> inRange.contains(x) && x.service().equals("orders") && x.failed())
                    <= 900_000);
  }

  /** How long the longest of those spans took that are of the same trace. */
  private static long longest(Sent of, Predicate<Sent> wanted) {
    return all.stream()
        .filter(span -> span.traceId().equals(of.traceId()))
        .filter(wanted)
        .mapToLong(Sent::duration)
        .max()
        .orElse(-1);
  }

  @Test
  void theSlowestAreThoseWithTheLongestSpan() {
    List<TraceSummary> slowest =
        store
            .queries()
            .traces()
            .slowest(TraceFilter.in(TimeRange.ALL).service("orders"), MANY)
            .items();
    assertThat(slowest).isNotEmpty();
    assertThat(slowest)
        .extracting(
            summary ->
                all.stream()
                    .filter(span -> span.traceId().equals(summary.traceId()))
                    .filter(span -> span.service().equals("orders"))
                    .mapToLong(Sent::duration)
                    .max()
                    .orElseThrow())
        .isSortedAccordingTo(Comparator.reverseOrder());
  }

  @Test
  void aSpanIsFoundByWhatIsInIt() {
    TraceQueries traces = store.queries().traces();
    String trace = Otlp.trace(1000);
    List<Sent> spans = all.stream().filter(span -> span.traceId().equals(trace)).toList();
    Sent price = spans.stream().filter(span -> span.name().equals("price")).findAny().orElseThrow();

    assertThat(traces.find(trace, "PRIC", 10))
        .isEqualTo(
            new Page<>(
                spans.stream()
                    .filter(s -> s.name().equals("price") || s.service().equals("prices"))
                    .map(Sent::spanId)
                    .sorted()
                    .toList(),
                false));
    assertThat(traces.find(trace, price.user(), 1).items()).hasSize(1);
    assertThat(traces.find(trace, "' OR true --", 10).items()).isEmpty();
    TraceDetail alone = traces.span(trace, price.spanId(), 10).orElseThrow();
    assertThat(alone.spans().items())
        .extracting(placed -> placed.span().name())
        .containsExactly("price");
    assertThat(alone.processes()).extracting(ProcessInfo::service).containsExactly(price.service());
    assertThat(traces.span(trace, "ffffffffffffffff", 10)).isEmpty();
  }

  @Test
  void theKeysOfAttributesAreToldMostFrequentFirst() {
    assertThat(store.queries().traces().attributeKeys(TimeRange.ALL, 10).items())
        .startsWith("user/id~x")
        .contains("db.system.name");
  }

  @Test
  void theOperationsOfAllServicesAreAllNames() {
    assertThat(store.queries().services().operations(null, RANGE, MANY).items())
        .extracting(Operation::name)
        .containsOnlyOnceElementsOf(inRange.stream().map(Sent::name).distinct().toList());
  }

  @Test
  void aPointIsTheLongestOfTheSpansThatWereLookedFor() {
    assertThat(
            store
                .queries()
                .traces()
                .points(TraceFilter.in(TimeRange.ALL).service("orders"), MANY)
                .items())
        .allSatisfy(
            point -> {
              List<Sent> spans =
                  all.stream()
                      .filter(span -> span.traceId().equals(point.traceId()))
                      .filter(span -> span.service().equals("orders"))
                      .toList();
              Sent longest =
                  spans.stream().max(Comparator.comparingLong(Sent::duration)).orElseThrow();
              assertThat(point)
                  .isEqualTo(
                      new TracePoint(
                          point.traceId(),
                          longest.spanId(),
                          longest.start(),
                          longest.duration(),
                          failed(spans) > 0));
            });
  }

  @Test
  void textOfStrangersIsNeverPartOfAStatement() {
    TraceFilter any = TraceFilter.in(TimeRange.ALL);
    String hostile = "'; DROP TABLE spans; -- \" % \\ \0 {where}";
    assertThat(store.queries().traces().search(any.text(hostile), 10).items()).isEmpty();
    assertThat(store.queries().traces().search(any.attribute(hostile, hostile), 10).items())
        .isEmpty();
    assertThat(store.queries().traces().search(any.service(hostile), 10).items()).isEmpty();
    assertThat(store.queries().traces().trace(hostile, 10)).isEmpty();
    assertThat(store.queries().services().operations(hostile, RANGE, 10).items()).isEmpty();
    assertThat(store.queries().logs().search(LogFilter.in(RANGE).text(hostile), 10).items())
        .isEmpty();
    assertThat(store.queries().traces().search(any, MANY).items()).isNotEmpty();
  }

  @Test
  void aTraceIsATreeWithItsProcesses() {
    TraceDetail trace = store.queries().traces().trace(Otlp.trace(1000), 100).orElseThrow();
    assertThat(trace.spans().items())
        .extracting(placed -> placed.span().name(), placed -> placed.depth())
        .containsExactly(
            tuple("GET /0", 0),
            tuple("POST", 1),
            tuple("POST /order", 2),
            tuple("price", 3),
            tuple("SELECT", 3));
    assertThat(trace.processes())
        .extracting(ProcessInfo::service)
        .containsExactlyInAnyOrder("gateway", "orders", "prices");
    assertThat(store.queries().traces().trace(Otlp.trace(1000), 2).orElseThrow().spans().more())
        .isTrue();
  }
}
