/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static dev.sennit.context.reader.Readings.threads;
import static dev.sennit.context.reader.Readings.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requires
class ThreadRecordReaderTest {
  private static final ProcessContext PROFILER_MODE =
      ProcessContext.builder()
          .attribute("sennit.thread_storage", AttributeValue.of("profiler"))
          .build();

  @TempDir Path folder;

  @Test
  void aProcessInProfilerModeIsSaidToBeUnreadable() {
    try (var reader = ThreadRecordReader.open(4711, PROFILER_MODE)) {
      assertThat(unavailable(reader.read()))
          .isEqualTo(
              "process 4711 keeps its thread contexts in profiler mode, which cannot be read from"
                  + " outside; start it with ctxstorage=otel or otep");
      assertThat(reader.read(4711)).isEqualTo(reader.read());
      assertThat(reader.stopsThreads()).isFalse();
    }
  }

  @Test
  void aProcessThatPublishesNothingIsToldWhatWasLookedFor() {
    try (var cat = ChildProcess.start(List.of("cat"));
        var reader = ThreadRecordReader.open(cat.pid(), RingPublisher.NOTHING_PUBLISHED)) {
      assertThat(unavailable(reader.read()))
          .startsWith("process " + cat.pid() + " has no thread records that can be read")
          .contains("sennit.thread_ring.address", "OTEP 4947", "[anon:DD_OTEL_CTX]");
    }
  }

  @Test
  void aProcessThatDoesNotExistIsSaidNotTo() {
    int pid = (1 << 22) + 1;
    for (ProcessContext context :
        List.of(
            RingPublisher.NOTHING_PUBLISHED,
            RingPublisher.contextWith(0x7f0000000000L, 65_536),
            OtepPublisher.context())) {
      try (var reader = ThreadRecordReader.open(pid, context)) {
        assertThat(unavailable(reader.read())).isEqualTo("process " + pid + " does not exist");
        assertThat(unavailable(reader.read(1))).isEqualTo("process " + pid + " does not exist");
      }
    }
  }

  @Test
  @Requires(commands = "gcc")
  void theWayOfReadingChangesWithWhatTheProcessPublishes() {
    Path program = RingPublisher.compile(folder);
    try (var publisher = RingPublisher.start(program, "threads=2");
        var reader = ThreadRecordReader.open(publisher.pid(), PROFILER_MODE)) {
      assertThat(unavailable(reader.read())).contains("profiler mode");

      reader.update(publisher.context());
      assertThat(threads(reader.read()).threads()).hasSize(2);

      reader.update(OtepPublisher.context());
      assertThat(reader.stopsThreads()).isTrue();
      assertThat(unavailable(reader.read())).contains("otel_thread_ctx_v1");

      reader.update(publisher.context());
      assertThat(threads(reader.read()).threads()).hasSize(2);
    }
  }

  @Test
  @Requires(root = true, commands = "setpriv")
  void aProcessOfSomebodyElseSaysWhatIsMissing() {
    List<String> asNobody = List.of("setpriv", "--reuid=65534", "--clear-groups", "cat");
    try (var cat = ChildProcess.start(asNobody)) {
      List<String> command =
          new ArrayList<>(
              List.of("setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"));
      command.addAll(
          ChildProcess.javaCommand(List.of(), Reader.class, Integer.toString(cat.pid())));
      try (var reader = ChildProcess.start(command)) {
        // Newer kernels show the map of memory, though not the memory, to whoever has CAP_PERFMON.
        assertThat(reader.readAll())
            .hasSize(2)
            .allMatch(
                reason ->
                    reason.matches(
                        "(the memory of )?process %d cannot be read: .*; run as its user or as root"
                            .formatted(cat.pid())));
      }
    }
  }

  /** Reads a process in each way and prints why it cannot. */
  static final class Reader {
    public static void main(String[] arguments) {
      int pid = Integer.parseInt(arguments[0]);
      for (ProcessContext context :
          List.of(RingPublisher.NOTHING_PUBLISHED, OtepPublisher.context())) {
        try (var reader = ThreadRecordReader.open(pid, context)) {
          System.out.println(unavailable(reader.read()));
        }
      }
    }
  }
}
