/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.context.thread.ContextStorageMode;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The shipped agent in another JVM, whose application has a copy of the context classes. */
@Requires
class VirtualThreadHooksTest {
  /** The whole number is 25; {@code -Dsennit.hooks.jvms=25} asks for it. */
  private static final int JVMS = Integer.getInteger("sennit.hooks.jvms", 8);

  @TempDir private Path folder;

  private ChildProcess start(ContextStorageMode mode, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(
        AgentJvm.agent(
            "start,cpu=10ms,jfr,file="
                + folder.resolve("%p.jfr")
                + ",ctxstorage="
                + mode.optionValue()));
    // For the application itself, which asks for the tid of its carriers.
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", ChildProcess.classPath()));
    command.add(MountedRequests.class.getName());
    command.addAll(List.of(arguments));
    ChildProcess application = AgentJvm.start(command);
    assertThat(application.expect("mode ")).isEqualTo(mode.optionValue());
    application.expect("ready");
    return application;
  }

  private static void assertNothingWrong(ChildProcess application) {
    assertThat(application.expect("other ")).isEqualTo("0");
    assertThat(application.expect("none ")).isEqualTo("0");
    assertThat(application.expect("failed ")).isEqualTo("0");
    assertThat(application.waitFor()).isZero();
    assertThat(application.errors().lines()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aContextFollowsItsVirtualThreadFromCarrierToCarrier(ContextStorageMode mode) {
    try (ChildProcess application = start(mode, "10000", "20", "1")) {
      assertNothingWrong(application);
    }
  }

  @Test
  void theApplicationNeverFails() {
    for (int i = 0; i < JVMS; i++) {
      try (ChildProcess application = start(ContextStorageMode.OTEL, "1000", "12", "3")) {
        assertNothingWrong(application);
      }
    }
  }

  @Test
  void anOutsideReaderSeesOnlySpansOfThreadsThatWereMountedThere() throws Exception {
    Path log = folder.resolve("mounts");
    List<MountLog.Sighting> sightings;
    try (ChildProcess application =
            start(ContextStorageMode.OTEL, "1000", "20", "1", log.toString());
        OutsideReader reader = OutsideReader.of(application.pid())) {
      application.send("");
      sightings = reader.watch(Duration.ofMillis(5), () -> application.expect("served"));
      assertThat(reader.read()).as("spans when every thread has ended").isEmpty();
      application.send("");
      assertNothingWrong(application);
    }
    assertThat(sightings).isNotEmpty();
    assertThat(MountLog.read(log).wrong(sightings)).isEmpty();
  }
}
