/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Call stacks of the agent as it is shipped, from virtual threads that move between carriers. */
@Requires
class MovingThreadsTest {
  private static final int THREADS = 16;
  private static final int STACKS = 400;

  private final SpanTally tally = new SpanTally();
  private final Set<String> names = new HashSet<>();

  @Test
  void aMountedThreadIsItselfAndInItsOwnSpan(@TempDir Path queue) {
    try (LogCollector collector = LogCollector.start();
        ChildProcess program =
            AgentJvm.start(
                Map.of(
                    "SPLUNK_PROFILER_ENABLED",
                    "true",
                    "SPLUNK_PROFILER_LOGS_ENDPOINT",
                    collector.endpoint(),
                    "SPLUNK_PROFILER_CALL_STACK_INTERVAL",
                    "20",
                    "SENNIT_OTLP_QUEUE_DIRECTORY",
                    queue.toString()),
                List.of(
                    AgentJvm.agent(""),
                    "-cp",
                    ChildProcess.classPath(),
                    MovingThreads.class.getName(),
                    Integer.toString(THREADS)))) {
      program.expect("ready");
      while (tally.inSpan() < STACKS || names.size() < THREADS) {
        LogCollector.records(collector.take()).forEach(this::judge);
      }
      program.send("");
      assertThat(program.waitFor()).isZero();
      assertThat(program.errors().lines()).singleElement().asString().contains("call stacks");
    }
    assertThat(tally.wrong()).isZero();
    assertThat(tally.right())
        .as("of %d stacks", tally.inSpan())
        .isGreaterThanOrEqualTo(tally.inSpan() * 95 / 100);
    System.out.printf(
        "moving threads: %d of %d stacks in a span have its ids, 0 another's%n",
        tally.right(), tally.inSpan());
  }

  private void judge(LogRecord record) {
    ParsedStack stack = ParsedStack.parse(record.getBody().getStringValue());
    if (tally.judge(record, stack)) {
      assertThat(stack.name()).startsWith("request ");
      assertThat(stack.frames())
          .noneMatch(frame -> frame.startsWith("java.util.concurrent.ForkJoinPool"));
      names.add(stack.name());
    }
  }
}
