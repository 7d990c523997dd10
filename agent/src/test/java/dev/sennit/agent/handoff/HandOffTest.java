/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped agent in JVMs whose work goes from thread to thread. */
@Requires
class HandOffTest {
  private static ChildProcess start(String options, String way) {
    List<String> command = new ArrayList<>();
    command.add(AgentJvm.agent("ctxstorage=otel" + options));
    command.add("--enable-preview");
    command.addAll(List.of("-cp", ChildProcess.classPath()));
    command.add(HandedWork.class.getName());
    command.add(way);
    return AgentJvm.start(command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "execute",
        "cached",
        "single",
        "own-tasks",
        "caller-runs",
        "scheduled",
        "invoke-all",
        "forkjoin",
        "forkjoin-execute",
        "forkjoin-scheduled",
        "fork",
        "parallel-stream",
        "future",
        "future-of-other",
        "virtual",
        "virtual-executor",
        "thread",
        "thread-per-task",
        "timer",
        "structured",
      })
  void workKeepsItsContext(String way) {
    try (ChildProcess application = start(",handoff", way)) {
      int right = Integer.parseInt(application.expect("right "));
      assertThat(application.expect("none ")).as("none").isEqualTo("0");
      assertThat(application.expect("wrong ")).as("wrong").isEqualTo("0");
      assertThat(application.expect("left ")).as("left behind").isEqualTo("0");
      assertThat(right).isGreaterThan(3_000);
      assertThat(application.waitFor()).isZero();
      assertThat(application.errors().lines()).as(application.errors()).hasSize(2);
    }
  }

  @Test
  void withoutItWorkHasNoContext() {
    try (ChildProcess application = start("", "execute")) {
      // The drivers' own threads.
      assertThat(application.expect("right ")).isEqualTo("2000");
      assertThat(application.expect("none ")).isEqualTo("2000");
      assertThat(application.expect("wrong ")).isEqualTo("0");
    }
  }
}
