/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sennit demo} as a newcomer runs it. */
class DemoCommandTest {
  private static final Path AGENT =
      Path.of("..", "agent", "target", "sennit-agent.jar").toAbsolutePath().normalize();

  @TempDir Path folder;

  private ChildProcess demo(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("demo", "--page", "0"));
    all.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(
            ChildProcess.javaCommand(
                List.of("-Dsennit.agent=" + AGENT, "-Djava.io.tmpdir=" + folder),
                Main.class,
                all.toArray(String[]::new)));
    return ChildProcess.start(builder);
  }

  @Test
  @Requires(root = true, commands = "python3")
  void whatIsSeenOfTheShopIsEnough() throws Exception {
    try (ChildProcess demo = demo("--check")) {
      // It takes twenty seconds by itself, and a busy machine takes its time to open the shop.
      ProcessHandle.of(demo.pid()).orElseThrow().onExit().get(3, TimeUnit.MINUTES);
      int status = demo.waitFor();
      String table = String.join("\n", demo.readAll());
      assertThat(status).as(table + demo.errors()).isZero();
      assertThat(table)
          .contains(
              "whole traces",
              "spans per trace",
              "samples tied to spans",
              "lines tied to spans",
              "tied wrongly")
          .doesNotContain("too little");
      assertThat(demo.errors())
          .containsPattern("sennit: look at it: http://localhost:\\d+/\n")
          .contains("slowest traces", "hottest frames", "error lines");
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(each -> each.getFileName().toString()))
          .noneMatch(name -> name.startsWith("sennit-demo-"));
    }
  }

  @Test
  void whatIsWrongIsNamed() {
    assertThat(Sennit.run("demo", "--page", "x").status()).isEqualTo(2);
    assertThat(Sennit.run("demo", "--for", "soon").err()).contains("soon");
    assertThat(Sennit.run("demo", "everything").status()).isEqualTo(2);
  }
}
