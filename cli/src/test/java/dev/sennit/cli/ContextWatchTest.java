/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code sennit context --watch} in a JVM of its own, so that it can be interrupted. */
@Requires(commands = "kill")
class ContextWatchTest {
  @ParameterizedTest
  @ValueSource(strings = {"otel", "otep"})
  void printsADocumentALineUntilTheProcessEnds(String mode) {
    try (Demo demo = Demo.start("--mode", mode);
        ChildProcess watch = watch(demo, "--threads", "--json")) {
      for (int i = 0; i < 3; i++) {
        JsonObject document = JsonObject.parse(watch.readLine());
        assertThat(document.number("pid")).isEqualTo(demo.process().pid());
        assertThat(document.objects("threads")).hasSizeLessThanOrEqualTo(8);
      }
      demo.end();
      assertThat(watch.waitFor()).isZero();
      assertThat(watch.readAll()).allSatisfy(JsonObject::parse);
      assertThat(watch.errors()).isEqualTo("sennit: process " + demo.pid() + " ended");
    }
  }

  @Test
  void printsBlocksOfTextIntoAPipe() {
    try (Demo demo = Demo.start();
        ChildProcess watch = watch(demo, "--threads")) {
      String heading = "process " + demo.pid() + ", context version 2, published ";
      watch.expect(heading);
      watch.expect("");
      watch.expect(heading);
    }
  }

  @Test
  void showsSpansAsTheyChange() {
    try (Demo demo = Demo.start("--threads", "1");
        ChildProcess watch = watch(demo, "--threads", "--json")) {
      List<String> seen = new ArrayList<>();
      while (seen.stream().distinct().count() < 3) {
        JsonObject.parse(watch.readLine())
            .objects("threads")
            .forEach(thread -> seen.add(thread.text("spanId")));
      }
    }
  }

  @Test
  void endsCleanlyWhenInterrupted() {
    try (Demo demo = Demo.start("--mode", "otep");
        ChildProcess watch = watch(demo, "--threads")) {
      watch.readLine();
      try (ChildProcess kill =
          ChildProcess.start(List.of("kill", "-INT", Integer.toString(watch.pid())))) {
        assertThat(kill.waitFor()).isZero();
      }
      assertThat(watch.waitFor()).isZero();
      assertThat(watch.errors()).isEmpty();
      assertThat(demo.process().isAlive()).as("the watched process goes on").isTrue();
    }
  }

  @Test
  void aProcessThatPublishesNothingIsNotWatched() {
    try (ChildProcess silent = ChildProcess.start(List.of("cat"))) {
      Sennit watch = Sennit.run("context", Integer.toString(silent.pid()), "--watch");
      assertThat(watch.status()).isEqualTo(1);
      assertThat(watch.err())
          .isEqualTo("sennit: process " + silent.pid() + " publishes no context\n");
    }
  }

  /** A JVM that is started with SIGINT ignored, as in the background of a script, ignores it. */
  private static ChildProcess watch(Demo demo, String... options) {
    List<String> arguments = new ArrayList<>(List.of("context", demo.pid(), "--watch"));
    arguments.addAll(List.of(options));
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(
        ChildProcess.javaCommand(List.of(), Main.class, arguments.toArray(String[]::new)));
    return ChildProcess.start(command);
  }
}
