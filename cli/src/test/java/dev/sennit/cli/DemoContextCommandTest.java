/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requires(commands = "kill")
class DemoContextCommandTest {
  @ParameterizedTest
  @ValueSource(strings = {"profiler", "otel", "otep"})
  void saysInOneLineWhoItIsAndWhatToTry(String mode) {
    try (Demo demo = Demo.start("--mode", mode, "--threads", "2", "--for", "1ms")) {
      String pid = demo.pid();
      assertThat(demo.announcement())
          .isEqualTo(
              "process %s publishes sennit-demo-context with 2 threads in mode %s; try: sennit"
                  + " context %s --threads --watch",
              pid, mode, pid);
      assertThat(demo.process().readAll()).isEmpty();
      assertThat(demo.process().waitFor()).isZero();
      assertThat(demo.process().errors()).isEmpty();
    }
  }

  @Test
  void theEnvironmentMayNameTheService() {
    try (Demo byName = Demo.start(Map.of("OTEL_SERVICE_NAME", "checkout"), "--for", "1ms");
        Demo byAttribute =
            Demo.start(Map.of("OTEL_RESOURCE_ATTRIBUTES", "service.name=cart"), "--for", "1ms")) {
      assertThat(byName.announcement()).contains(" publishes checkout with ");
      assertThat(byAttribute.announcement()).contains(" publishes cart with ");
    }
  }

  @Test
  void endsCleanlyWhenInterrupted() {
    try (Demo demo = Demo.start();
        ChildProcess kill = ChildProcess.start(List.of("kill", "-INT", demo.pid()))) {
      assertThat(kill.waitFor()).isZero();
      assertThat(demo.process().waitFor()).isZero();
      assertThat(demo.process().errors()).isEmpty();
    }
  }
}
