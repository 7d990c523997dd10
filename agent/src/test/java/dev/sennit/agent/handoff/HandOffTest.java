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
  private static ChildProcess start(String options, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(AgentJvm.agent("ctxstorage=otel" + options));
    command.add("--enable-preview");
    command.addAll(List.of("-cp", ChildProcess.classPath()));
    command.add(HandedWork.class.getName());
    command.addAll(List.of(arguments));
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
        "waits-for-room",
        "array-queue",
        "looks-aside",
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
      assertThat(application.errors().lines()).as(application.errors()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",handoff=none", ",handoff=timer;future"})
  void whatIsNotFollowedHasNoContext(String options) {
    assertThatOnlyDriversHaveContexts(options, "execute");
  }

  @Test
  void whereAnSdkOwnsTheContextsNothingIsFollowed() {
    assertThatOnlyDriversHaveContexts(",handoff", "execute", "owned");
  }

  private static void assertThatOnlyDriversHaveContexts(String options, String... arguments) {
    try (ChildProcess application = start(options, arguments)) {
      assertThat(application.expect("right ")).isEqualTo("2000");
      assertThat(application.expect("none ")).isEqualTo("2000");
      assertThat(application.expect("wrong ")).isEqualTo("0");
    }
  }

  @Test
  void tasksOfEveryEndLeaveNothingBehind() {
    List<String> command = new ArrayList<>();
    command.add(AgentJvm.agent("handoff"));
    command.add("-Xmx128m");
    command.addAll(List.of("-cp", ChildProcess.classPath()));
    command.addAll(List.of(HandedChurn.class.getName(), "1000000"));
    try (ChildProcess application = AgentJvm.start(command)) {
      // Of what a pool is given, as much is rejected as it cannot take; virtual threads all run.
      assertThat(Integer.parseInt(application.expect("done "))).isGreaterThan(100_000);
      assertThat(Integer.parseInt(application.expect("rejected "))).isPositive();
      assertThat(application.expect("wrong ")).as("wrong").isEqualTo("0");
      assertThat(Long.parseLong(application.expect("grown "))).as("bytes").isLessThan(1 << 20);
      assertThat(application.expect("loader ")).isEqualTo("gone");
      assertThat(application.waitFor()).isZero();
    }
  }
}
