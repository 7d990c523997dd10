/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static dev.sennit.context.reader.Readings.threads;
import static dev.sennit.context.reader.Readings.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.Proc;
import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.OtepPublisher.Shape;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requires(commands = "gcc")
class OtepReaderTest {
  private static final ProcessContext CONTEXT =
      OtepPublisher.context("http.request.method", "http.route", "datadog.local_root_span_id");

  @TempDir static Path folder;
  private static List<String> loaded;

  @BeforeAll
  static void compile() {
    loaded = OtepPublisher.compile(folder, Shape.LOADED_DESCRIPTOR);
  }

  @ParameterizedTest
  @EnumSource
  void readsTheRecordsOfAllThreadsHoweverTheVariableIsLinked(Shape shape) {
    List<String> command =
        shape == Shape.LOADED_DESCRIPTOR ? loaded : OtepPublisher.compile(folder, shape);
    try (var publisher = OtepPublisher.start(command);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      assertReadsAll(publisher, reader);
      assertReadsAll(publisher, reader);
    }
  }

  private static void assertReadsAll(OtepPublisher publisher, ThreadRecordReader reader) {
    ThreadReading.Threads reading = threads(reader.read());

    assertThat(reading.unsettled()).isZero();
    String method = "http.request.method";
    String route = "http.route";
    int attributesOnly = publisher.tid("attributes-only");
    ThreadRecord localRoot = publisher.record("local-root", Map.of(method, "GET"));
    assertThat(reading.threads())
        .containsExactlyInAnyOrder(
            publisher.record("main", "otep_publisher", Map.of(method, "GET", route, "/cart/été")),
            publisher.record("plain", Map.of(method, "GET", route, "/cart/été")),
            publisher.record("duplicate", Map.of(method, "POST", route, "/cart")),
            publisher.record("incomplete", Map.of(method, "GET")),
            publisher.record("lone-key", Map.of(method, "GET")),
            publisher.record("at-the-edge", Map.of(method, "GET", route, "/edge")),
            publisher.record("unknown-key", Map.of(method, "GET")),
            publisher.record(
                "bad-local-root", Map.of("datadog.local_root_span_id", "not an identifier")),
            publisher.record("oversize", Map.of(method, "c".repeat(200))),
            new ThreadRecord(
                attributesOnly, "attributes-only", 0, 0, 0, 0, 0, Map.of(method, "GET")),
            new ThreadRecord(
                localRoot.tid(),
                localRoot.name(),
                localRoot.traceIdHigh(),
                localRoot.traceIdLow(),
                localRoot.spanId(),
                0x00f067aa0ba902b7L,
                localRoot.flags(),
                localRoot.attributes()));
  }

  @Test
  void worksWhenTheFileOfTheLibraryIsDeleted() {
    List<String> command =
        new ArrayList<>(OtepPublisher.compile(folder.resolve("deleted"), Shape.LOADED_DESCRIPTOR));
    command.add("delete");
    try (var publisher = OtepPublisher.start(command);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      assertThat(Path.of(command.get(1))).doesNotExist();
      assertReadsAll(publisher, reader);
    }
  }

  @Test
  void readsThroughTheFileOfTheProcessMemoryAlone() {
    try (var publisher = OtepPublisher.start(loaded);
        var reader = ThreadRecordReader.open(ProcessMemory.throughFile(publisher.pid()), CONTEXT)) {
      assertReadsAll(publisher, reader);
    }
  }

  @Test
  void readsFromAVirtualThread() throws Exception {
    try (var publisher = OtepPublisher.start(loaded);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT);
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      executor.submit(() -> assertReadsAll(publisher, reader)).get();
    }
  }

  @Test
  void readsChosenThreadsOfTheProcessAndStopsNoOthers() {
    try (var publisher = OtepPublisher.start(loaded);
        var other = OtepPublisher.start(loaded);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      assertThat(
              threads(
                      reader.read(
                          publisher.tid("plain"), publisher.tid("null"), other.tid("plain"), -1, 0))
                  .threads())
          .extracting(ThreadRecord::tid)
          .containsExactly(publisher.tid("plain"));
      assertThat(reader.stopsThreads()).isTrue();
    }
  }

  @Test
  void keysAnnouncedLaterAreUnderstoodOnceTheReaderIsTold() {
    try (var publisher = OtepPublisher.start(loaded);
        var reader = ThreadRecordReader.open(publisher.pid(), OtepPublisher.context())) {
      int tid = publisher.tid("plain");
      assertThat(threads(reader.read(tid)).threads().getFirst().attributes()).isEmpty();

      reader.update(CONTEXT);
      assertThat(threads(reader.read(tid)).threads().getFirst().attributes())
          .containsKeys("http.request.method", "http.route");
    }
  }

  @Test
  void readingLeavesTheThreadsUntraced() {
    try (var publisher = OtepPublisher.start(loaded);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT);
        var another = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      for (int i = 0; i < 20; i++) {
        assertThat(reader.read()).isEqualTo(another.read());
      }
    }
  }

  @Test
  @Requires(
      root = true,
      commands = {"gcc", "unshare"})
  void inAPidNamespaceThreadsAreReportedByOurTids() {
    try (var publisher = OtepPublisher.startInNamespace(loaded);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      ThreadReading.Threads reading = threads(reader.read());

      assertThat(reading.threads())
          .hasSize(11)
          .filteredOn(thread -> thread.name().equals("plain"))
          .singleElement()
          .satisfies(
              plain -> {
                assertThat(plain.spanId() & 0xffff).isEqualTo(publisher.tid("plain"));
                assertThat(Proc.innermostTid(publisher.pid(), plain.tid()))
                    .isEqualTo(publisher.tid("plain"));
              });
    }
  }

  @Test
  void threadsThatDoNotStopAreCountedAndLetGo() {
    List<String> command = new ArrayList<>(List.of("env", "UNSTOPPABLE=2"));
    command.addAll(loaded);
    try (var publisher = OtepPublisher.start(command);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      int[] unstoppable = {publisher.tid("unstoppable-0"), publisher.tid("unstoppable-1")};
      for (int tid : unstoppable) {
        awaitStatus(publisher.pid(), tid, "State", "D (disk sleep)");
      }
      for (int i = 0; i < 2; i++) {
        ThreadReading.Threads reading = threads(reader.read());

        assertThat(reading.unsettled()).isEqualTo(2);
        assertThat(reading.threads()).hasSize(11);
        for (int tid : unstoppable) {
          awaitStatus(publisher.pid(), tid, "TracerPid", "0");
        }
      }
    }
  }

  @Test
  void aProcessThatIsStoppedByJobControlIsReadAndStaysStopped() {
    try (var publisher = OtepPublisher.start(loaded);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      int tid = publisher.tid("plain");
      signal(publisher.pid(), "STOP");
      awaitStatus(publisher.pid(), tid, "State", "T (stopped)");

      assertReadsAll(publisher, reader);
      awaitStatus(publisher.pid(), tid, "State", "T (stopped)");

      signal(publisher.pid(), "CONT");
      awaitStatus(publisher.pid(), tid, "State", "S (sleeping)");
      assertReadsAll(publisher, reader);
    }
  }

  private static void signal(int pid, String signal) {
    try (var kill = ChildProcess.start(List.of("kill", "-" + signal, Integer.toString(pid)))) {
      assertThat(kill.waitFor()).isZero();
    }
  }

  private static void awaitStatus(int pid, int tid, String field, String value) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!Proc.statusField(pid, tid, field).equals(value)) {
      assertThat(System.nanoTime() - deadline)
          .as("%s of %d is %s", field, tid, Proc.statusField(pid, tid, field))
          .isNegative();
      Thread.onSpinWait();
    }
  }

  @Test
  void aChildOfThisJvmIsReadWithoutItsMainThreadAndIsNotTakenForDead() {
    List<String> command = new ArrayList<>(List.of("env", "NO_FORK=1"));
    command.addAll(loaded);
    try (var publisher = OtepPublisher.start(command);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      assertThat(ProcessHandle.of(publisher.pid()).orElseThrow().parent())
          .contains(ProcessHandle.current());
      for (int i = 0; i < 10; i++) {
        ThreadReading.Threads reading = threads(reader.read());

        assertThat(reading.threads())
            .extracting(ThreadRecord::name)
            .contains("plain")
            .doesNotContain("otep_publisher");
        assertThat(reading.unsettled()).isEqualTo(1);
        assertThat(publisher.isAlive()).isTrue();
      }
    }
  }

  @Test
  @Requires(commands = {"gcc", "strace"})
  void aProcessThatIsTracedAlreadyNamesItsTracer() {
    List<String> command = new ArrayList<>(List.of("strace", "-f", "-o", "/dev/null"));
    command.addAll(loaded);
    try (var publisher = OtepPublisher.start(command);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      assertThat(unavailable(reader.read()))
          .matches("process " + publisher.pid() + " is traced by process \\d+ \\(strace\\), .*");
    }
  }

  @Test
  void aProcessThatEndsWhileItIsReadIsSaidToBeGone() {
    try (var publisher = OtepPublisher.start(loaded);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      threads(reader.read());
      publisher.quit();
      ThreadReading reading = reader.read();
      while (reading instanceof ThreadReading.Threads) {
        reading = reader.read();
      }
      assertThat(unavailable(reading)).isEqualTo("process " + publisher.pid() + " does not exist");
    }
  }

  @Test
  void aProcessThatAnnouncesRecordsAndHasNoneIsUnavailable() {
    try (var cat = ChildProcess.start(List.of("cat"));
        var reader = ThreadRecordReader.open(cat.pid(), CONTEXT)) {
      assertThat(unavailable(reader.read()))
          .matches(
              "process \\d+ announces thread-local records, but none of its \\d+ mapped files"
                  + " exports the thread-local symbol otel_thread_ctx_v1");
    }
  }

  @Test
  void theReaderCannotReadItself() {
    int self = Math.toIntExact(ProcessHandle.current().pid());
    try (var reader = ThreadRecordReader.open(self, CONTEXT)) {
      assertThat(unavailable(reader.read())).contains("cannot stop its own threads");
    }
  }

  @Test
  @Requires(commands = {"gcc", "gdb"})
  void gdbSeesTheSameIds() {
    try (var publisher = OtepPublisher.start(loaded);
        var reader = ThreadRecordReader.open(publisher.pid(), CONTEXT)) {
      List<ThreadRecord> threads =
          threads(reader.read()).threads().stream().filter(t -> t.spanId() != 0).toList();
      Map<Integer, List<Long>> judged = idsByGdb(publisher.pid());

      assertThat(threads).hasSizeGreaterThan(8);
      for (ThreadRecord thread : threads) {
        assertThat(judged)
            .containsEntry(
                thread.tid(), List.of(thread.traceIdHigh(), thread.traceIdLow(), thread.spanId()));
      }
    }
  }

  private static Map<Integer, List<Long>> idsByGdb(int pid) {
    String print = "thread apply all -s x/3xg *(unsigned char **)&otel_thread_ctx_v1";
    List<String> gdb =
        List.of("gdb", "-nx", "-q", "-batch", "-p", Integer.toString(pid), "-ex", print);
    Pattern thread =
        Pattern.compile("LWP (\\d+)\\).*\n.*:\\s+0x(\\w+)\\s+0x(\\w+)\n.*:\\s+0x(\\w+)");
    Map<Integer, List<Long>> ids = new HashMap<>();
    try (var judge = ChildProcess.start(gdb)) {
      Matcher matcher = thread.matcher(String.join("\n", judge.readAll()));
      while (matcher.find()) {
        // gdb prints numbers in host order, records hold bytes in the order of W3C.
        ids.put(
            Integer.parseInt(matcher.group(1)),
            Stream.of(2, 3, 4)
                .map(i -> Long.reverseBytes(Long.parseUnsignedLong(matcher.group(i), 16)))
                .toList());
      }
    }
    return ids;
  }
}
