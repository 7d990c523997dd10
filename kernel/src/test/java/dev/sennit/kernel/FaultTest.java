/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.ring.EventKind;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.kernel.ring.Way;
import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever happens to the tracer, or to what it observes, no request suffers and nothing is left.
 */
@Requires(
    root = true,
    commands = {"gcc", "bpftool"})
final class FaultTest {
  private static final Pattern SUMMARY =
      Pattern.compile("good (\\d+) bad (\\d+) longest (\\d+) headers (\\d+) last (\\d+)");
  private static final long STALLED = TimeUnit.SECONDS.toMicros(1);
  private static final int RUNS = 12;
  private static final String REQUEST = "GET / HTTP/1.1\r\n\r\n";
  private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  @TempDir private static Path folder;
  private static Path load;
  private static Path sender;

  private record Summary(long good, long bad, long longest, long headers, long last) {
    static Summary of(ChildProcess process) {
      Matcher matcher = SUMMARY.matcher(process.readAll().getLast());
      assertThat(matcher.matches()).isTrue();
      return new Summary(
          Long.parseLong(matcher.group(1)),
          Long.parseLong(matcher.group(2)),
          Long.parseLong(matcher.group(3)),
          Long.parseLong(matcher.group(4)),
          Long.parseLong(matcher.group(5)));
    }
  }

  @BeforeAll
  static void compile() {
    load = CProgram.compile(FaultTest.class, "load.c", folder, "-pthread");
    sender = CProgram.compile(FaultTest.class, "sender.c", folder);
  }

  @Test
  void aTracerThatIsKilledHarmsNoRequest() throws Exception {
    for (int run = 0; run < RUNS; run++) {
      // One run goes on for long enough to see that the lease is obeyed.
      int after = run == 0 ? 6000 : 1000;
      Cgroup cgroup =
          Cgroup.root()
              .orElseThrow()
              .create("sennit-test-" + ProcessHandle.current().pid() + "-kill-" + run);
      Set<String> programs = programs();
      try (ChildProcess tracer =
          ChildProcess.java(TracerProcess.class, cgroup.folder().toString(), "" + cgroup.level())) {
        tracer.expect("ready");
        Set<String> others = programs;
        programs = programs();
        programs.removeAll(others);
        assertThat(programs).isNotEmpty();
        long killed;
        Summary summary;
        try (ChildProcess clients =
            ChildProcess.start(
                cgroup.command(List.of(load.toString(), "keep", "4", "" + (500 + after))))) {
          clients.expect("running");
          TimeUnit.MILLISECONDS.sleep(500);
          new ProcessBuilder("kill", "-9", "" + tracer.pid()).start().waitFor();
          killed = System.nanoTime() / 1000;
          summary = Summary.of(clients);
        }
        assertThat(summary.bad()).as("run %d: %s", run, summary).isZero();
        assertThat(summary.longest()).as("run %d: %s", run, summary).isLessThan(STALLED);
        assertThat(summary.headers()).as("run %d: %s", run, summary).isPositive();
        assertThat(summary.last() - killed)
            .as("run %d: %s", run, summary)
            .isLessThan(TimeUnit.SECONDS.toMicros(4));
      } finally {
        cgroup.remove();
      }
      assertThat(areGoneWithin(programs, 5)).as("run %d: the programs are gone", run).isTrue();
    }
  }

  @Test
  void aRingThatIsFullLosesEventsAndCountsThemAndHarmsNoRequest() throws Exception {
    try (Observation observation =
        Observation.start(new TracerSettings.Builder().startTraces(true).ringBytes(4096).build())) {
      Summary summary = Summary.of(observation.run(List.of(load.toString(), "keep", "2", "1000")));

      assertThat(summary.bad()).isZero();
      assertThat(summary.longest()).isLessThan(STALLED);
      assertThat(summary.headers()).isEqualTo(summary.good());
      assertThat(observation.count(Outcome.EVENTS_LOST)).isPositive();
    }
  }

  @Test
  void manyConnectionsDoNotFillTheMaps() throws Exception {
    try (Observation observation =
        Observation.start(
            new TracerSettings.Builder().startTraces(true).connections(1024).build())) {
      Summary summary = Summary.of(observation.run(List.of(load.toString(), "open", "4", "20000")));

      assertThat(summary.bad()).isZero();
      assertThat(summary.good()).isEqualTo(20_000);
      assertThat(summary.headers()).isEqualTo(20_000);
      assertThat(observation.count(Outcome.ENROLLED)).isEqualTo(20_000);
      assertThat(observation.count(Outcome.NOT_ENROLLED)).isZero();
    }
  }

  @Test
  void aProcessThatDiesInTheMiddleIsForgotten() throws Exception {
    try (Observation observation =
            Observation.start(new TracerSettings.Builder().startTraces(true).build());
        Receiver receiver = new Receiver()) {
      ChildProcess process = observation.run(List.of(sender.toString()));
      process.send("connect " + receiver.port());
      assertThat(process.readLine()).isEqualTo("ok");
      new ProcessBuilder("kill", "-9", "" + process.pid()).start().waitFor();

      assertThat(observation.await(event -> event.kind() == EventKind.EXIT).pid())
          .isEqualTo(process.pid());
    }
  }

  @Test
  void aSocketThatIsAskedWhatIsUnreadLeavesTheSockhash() throws Exception {
    try (Observation observation =
            Observation.start(new TracerSettings.Builder().startTraces(true).build());
        Receiver receiver = new Receiver()) {
      ChildProcess process = observation.run(List.of(sender.toString()));
      String answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
      receiver.answer(answer);
      tell(process, "connect " + receiver.port());
      tell(
          process,
          "send "
              + HexFormat.of()
                  .formatHex("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      process.send("unread");
      process.expect("unread ");
      process.expect("ok");
      observation.await(event -> event.kind() == EventKind.UNREAD);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      String unread = "";
      while (!unread.equals("" + answer.length()) && System.nanoTime() < end) {
        process.send("unread");
        unread = process.expect("unread ").strip();
        process.expect("ok");
      }
      assertThat(unread).isEqualTo("" + answer.length());
      tell(process, "receive " + answer.length());
      tell(process, "close");
      assertThat(observation.count(Outcome.FIONREAD_SEEN)).isPositive();

      tell(process, "connect " + receiver.port());
      assertThat(observation.count(Outcome.NOT_ENROLLED)).isEqualTo(1);
    }
  }

  @Test
  void whatIsSwitchedOffSeesNothingAndHoldsNoSocket() throws Exception {
    try (Observation observation =
        Observation.start(new TracerSettings.Builder().startTraces(true).build())) {
      observation.tracer().deactivate();
      Summary off = Summary.of(observation.run(List.of(load.toString(), "open", "1", "10")));
      assertThat(off.headers()).isZero();
      assertThat(observation.events()).isEmpty();

      observation.tracer().activate();
      Summary on = Summary.of(observation.run(List.of(load.toString(), "open", "1", "10")));
      assertThat(on.headers()).isEqualTo(10);
      observation.await(event -> event.kind() == EventKind.REQUEST);
    }
  }

  @Test
  void aConnectionOlderThanTheTracerIsJoinedAfterAResponse() throws Exception {
    String request = HexFormat.of().formatHex(REQUEST.getBytes(StandardCharsets.US_ASCII));
    try (Observation observation =
            Observation.start(new TracerSettings.Builder().startTraces(true).build());
        Receiver receiver = new Receiver()) {
      receiver.answer(ANSWER);
      observation.tracer().deactivate();
      ChildProcess process = observation.run(List.of(sender.toString()));
      tell(process, "connect " + receiver.port());
      tell(process, "send " + request);
      tell(process, "receive " + ANSWER.length());
      observation.tracer().activate();
      for (int i = 0; i < 3; i++) {
        tell(process, "send " + request);
        tell(process, "receive " + ANSWER.length());
      }
      tell(process, "close");

      String received = new String(receiver.next(), StandardCharsets.US_ASCII);
      assertThat(received.replaceAll("traceparent: [^\r]*\r\n", "")).isEqualTo(REQUEST.repeat(4));
      assertThat(received).startsWith(REQUEST.repeat(2) + "GET / HTTP/1.1\r\ntraceparent: ");
      observation.await(event -> event.kind() == EventKind.CLOSE);
      assertThat(observation.events(EventKind.OUT))
          .allMatch(event -> event.way() == Way.OUTBOUND)
          .hasSize(3);
    }
  }

  private static void tell(ChildProcess process, String line) {
    process.send(line);
    assertThat(process.readLine()).isEqualTo("ok");
  }

  /** The numbers of all programs of this machine that put headers in; others may trace, too. */
  private static Set<String> programs() {
    try (ChildProcess list = ChildProcess.start(List.of("bpftool", "prog", "show"))) {
      return list.readAll().stream()
          .filter(line -> line.contains("name send_message"))
          .map(line -> line.substring(0, line.indexOf(':')))
          .collect(Collectors.toCollection(HashSet::new));
    }
  }

  /** Whether the kernel has freed programs of a killed tracer. */
  private static boolean areGoneWithin(Set<String> programs, int seconds)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    do {
      if (Collections.disjoint(programs(), programs)) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(100);
    } while (System.nanoTime() < end);
    return false;
  }
}
