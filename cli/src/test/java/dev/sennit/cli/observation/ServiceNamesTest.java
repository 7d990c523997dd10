/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Telemetry gets the name of the process that sent it, or of none. */
@Requires
final class ServiceNamesTest {
  private static final String UNKNOWN = "unknown_service:java";

  private String host;

  @BeforeEach
  void askForTheHost() throws IOException {
    host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  private static List<String> command() {
    return ChildProcess.javaCommand(List.of(), PublishingProcess.class);
  }

  @Test
  void aNamelessProcessIsCalledByWhatItRuns() {
    try (ChildProcess child = ChildProcess.start(command())) {
      child.expect("ready");

      assertThat(ServiceNames.ofSender(UNKNOWN, host, child.pid(), ""))
          .isEqualTo("PublishingProcess");
      assertThat(ServiceNames.ofSender("shop", host, child.pid(), "")).isEqualTo("shop");
      assertThat(ServiceNames.ofSender(UNKNOWN, "elsewhere", child.pid(), "")).isEqualTo(UNKNOWN);
    }
  }

  @Test
  void telemetryOfAnotherInstanceIsNotOfTheProcessThatHasItsNumber() {
    try (ChildProcess child = ChildProcess.start(command())) {
      child.expect("ready");
      assertThat(ServiceNames.ofSender(UNKNOWN, host, child.pid(), "one")).isEqualTo(UNKNOWN);

      child.send("service.name=unknown_service:java service.instance.id=one");
      child.expect("published");

      assertThat(ServiceNames.ofSender(UNKNOWN, host, child.pid(), "one"))
          .isEqualTo("PublishingProcess");
      assertThat(ServiceNames.ofSender(UNKNOWN, host, child.pid(), "two")).isEqualTo(UNKNOWN);
    }
  }

  /** Such a process calls itself 1, and so would its telemetry. */
  @Test
  @Requires(root = true, commands = "unshare")
  void aProcessOfAnotherNamespaceIsNotMeantByItsNumberHere() {
    List<String> command =
        new ArrayList<>(List.of("unshare", "--pid", "--fork", "--kill-child", "--"));
    command.addAll(command());
    try (ChildProcess unshare = ChildProcess.start(command)) {
      unshare.expect("ready");
      int pid =
          ProcessHandle.of(unshare.pid())
              .orElseThrow()
              .children()
              .mapToInt(child -> (int) child.pid())
              .findFirst()
              .orElseThrow();

      assertThat(ServiceNames.of(UNKNOWN, host, pid)).isEqualTo("PublishingProcess");
      assertThat(ServiceNames.ofSender(UNKNOWN, host, pid, "")).isEqualTo(UNKNOWN);
    }
  }
}
