/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.cli.observation.FollowedRequests.Tally;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.testing.Requires;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications of frameworks as they come, with nothing in them that knows of traces. */
@Requires(root = true)
final class FollowedFrameworksTest {
  /** Of a hundred, how many must be right; none may be wrong. */
  private static final int ENOUGH = 99;

  private static final List<String> ROWS = new ArrayList<>();

  @AfterAll
  static void print() {
    System.out.println("of 400 requests, 20 at a time, in percent: right, orphaned, wrong");
    System.out.println("service           calls               log lines");
    ROWS.forEach(System.out::println);
  }

  @ParameterizedTest
  @CsvSource({
    "NettyService,nio",
    "NettyService,epoll",
    "SpringMvcService,jdk",
    "SpringMvcService,simple",
    "WebFluxService,",
    "HelidonService,",
  })
  void callsAndLinesAreInTheTraceOfTheirRequest(String service, String way) throws Exception {
    TracerSettings settings = new TracerSettings.Builder().logs(true).build();
    try (FollowedRequests requests = new FollowedRequests();
        ObservedPrograms programs = ObservedPrograms.start(settings)) {
      FollowedRequests.send(
          programs.serve(
              Frameworks.command(
                  programs, List.of(), service, "http://127.0.0.1:" + requests.backend(), way)));
      List<Span> calls =
          programs.await(2 * FollowedRequests.COUNT, span -> span.kind() == SpanKind.CLIENT);
      List<Span> served =
          programs.await(FollowedRequests.COUNT, span -> span.kind() == SpanKind.SERVER);

      Tally spans = FollowedRequests.calls(calls);
      Tally logged =
          FollowedRequests.lines(
              programs.awaitRecords(FollowedRequests.COUNT, FollowedRequests::isLine));
      String name = way == null ? service : service + " " + way;
      ROWS.add(String.format("%-24s %s   %s", name, spans, logged));
      System.out.println(ROWS.getLast());
      assertEnough("calls", spans, 2 * FollowedRequests.COUNT);
      assertEnough("lines", logged, FollowedRequests.COUNT);
      assertThat(served).hasSize(FollowedRequests.COUNT);
      assertThat(programs.observation().kernelCounters().get(Outcome.EVENTS_LOST)).isZero();
    }
  }

  /**
   * The kernel tells of the first in a read; the second must not be taken for it, and has no
   * context in the JVM. What the kernel then makes of it, by the thread or as the only request that
   * it knows of, is its own doing.
   */
  @ParameterizedTest
  @ValueSource(strings = {"NettyService", "WebFluxService"})
  void aRequestBehindAnotherIsNotMistakenForIt(String service) throws Exception {
    TracerSettings settings = new TracerSettings.Builder().logs(true).build();
    try (FollowedRequests requests = new FollowedRequests();
        ObservedPrograms programs = ObservedPrograms.start(settings)) {
      FollowedRequests.sendInPairs(
          programs.serve(
              Frameworks.command(
                  programs, List.of(), service, "http://127.0.0.1:" + requests.backend(), "nio")));
      int all = 2 * FollowedRequests.COUNT;
      List<Span> calls = programs.await(all, span -> span.kind() == SpanKind.CLIENT);

      Tally spans = FollowedRequests.calls(calls);
      Map<Outcome, Long> counted = programs.observation().kernelCounters();
      assertThat(counted.get(Outcome.PARENT_RECORD)).as("" + spans).isEqualTo(all / 2);
      assertThat(spans.right()).as("" + spans).isGreaterThanOrEqualTo(all / 2);
      assertThat((long) spans.wrong())
          .as("" + spans)
          .isLessThanOrEqualTo(
              counted.getOrDefault(Outcome.PARENT_THREAD, 0L)
                  + counted.getOrDefault(Outcome.PARENT_ONLY, 0L));
    }
  }

  private static void assertEnough(String what, Tally tally, int all) {
    assertThat(tally.wrong()).as(what + ": " + tally).isZero();
    assertThat(tally.right()).as(what + ": " + tally).isGreaterThanOrEqualTo(all * ENOUGH / 100);
  }
}
