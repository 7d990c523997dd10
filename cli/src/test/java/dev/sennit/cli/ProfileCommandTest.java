/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requires
class ProfileCommandTest {
  private static final String FILE_PROPERTY = "sennit.agent";

  @BeforeAll
  static void nameTheAgent() {
    System.setProperty(
        FILE_PROPERTY, Path.of("..", "agent", "target", "sennit-agent.jar").toString());
  }

  @AfterAll
  static void forgetTheAgent() {
    System.clearProperty(FILE_PROPERTY);
  }

  /** A JVM that waits until it is ended. */
  static final class Target {
    public static void main(String[] arguments) throws Exception {
      System.out.println("running");
      System.in.read();
    }
  }

  private static ChildProcess target() {
    ChildProcess target =
        ChildProcess.start(
            ChildProcess.javaCommand(List.of("-XX:+EnableDynamicAgentLoading"), Target.class));
    target.expect("running");
    return target;
  }

  @Test
  void aJvmThatRunsIsProfiledIntoAFile(@TempDir Path folder) {
    Path file = folder.resolve("app.jfr");
    try (ChildProcess target = target()) {
      Sennit run =
          Sennit.run(
              "profile",
              Integer.toString(target.pid()),
              "--for",
              "200ms",
              "wall=10ms",
              "-o",
              file.toString());
      assertThat(run.err()).isEmpty();
      assertThat(run.status()).isZero();
      assertThat(run.out()).isEqualToIgnoringNewLines(file.toString());
      assertThat(file).isNotEmptyFile();
      assertThat(target.isAlive()).isTrue();
    }
  }

  @Test
  void aProfileThatSomebodyLeftRunningIsToldOfAndStopped(@TempDir Path folder) {
    Path file = folder.resolve("left.jfr");
    try (ChildProcess target = target()) {
      String pid = Integer.toString(target.pid());
      assertThat(ask(pid, "--status")).startsWith("not profiling");

      List<String> profile =
          ChildProcess.javaCommand(
              List.of("-D" + FILE_PROPERTY + "=" + System.getProperty(FILE_PROPERTY)),
              Main.class,
              "profile",
              pid,
              "--for",
              "1h",
              "wall=10ms",
              "-o",
              file.toString());
      try (ChildProcess killed = ChildProcess.start(profile)) {
        DaemonProcess.await(
            "it is profiled", () -> ask(pid, "--status").contains("options: wall=10ms"));
        assertThat(killed.isAlive()).isTrue();
      }
      assertRefused(Sennit.run("profile", pid, "--for", "1ms"), "profiling runs already");

      assertThat(ask(pid, "--stop")).startsWith("profiling stopped").contains(file.toString());
      assertThat(file).isNotEmptyFile();
      assertThat(ask(pid, "--status")).startsWith("not profiling");
      assertRefused(Sennit.run("profile", pid, "--stop"), "not profiling");
    }
  }

  private static String ask(String pid, String question) {
    Sennit run = Sennit.run("profile", pid, question);
    assertThat(run.err()).isEmpty();
    assertThat(run.status()).isZero();
    return run.out();
  }

  @Test
  void whoOnlyAsksSaysNothingOfAProfile() {
    assertRefused(Sennit.run("profile", "1", "--status", "--stop"), "mutually exclusive");
    assertRefused(Sennit.run("profile", "1", "--status", "--for", "1s"), "--status", "--for");
    assertRefused(Sennit.run("profile", "1", "--stop", "-o", "x.jfr"), "--stop", "-o");
    assertRefused(Sennit.run("profile", "1", "--stop", "cpu=10ms"), "--stop", "options");
  }

  private static void assertRefused(Sennit run, String... words) {
    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).hasSize(1).first().asString().contains(words);
  }

  @Test
  void aProcessThatIsNotThereIsNamed() {
    assertRefused(Sennit.run("profile", "4194303"), "there is no process 4194303");
  }

  @Test
  void aProcessThatIsNoJvmIsLeftAlone() {
    try (ChildProcess cat = ChildProcess.start(List.of("cat"))) {
      String pid = Integer.toString(cat.pid());
      assertRefused(Sennit.run("profile", pid), "process " + pid + " is not a JVM");
      assertThat(cat.isAlive()).isTrue();
    }
  }

  @Test
  void whatIsNoPidIsNamed() {
    assertRefused(Sennit.run("profile", "checkout"), "checkout");
  }

  @Test
  void anOptionThatTheAgentDoesNotKnowIsNamedHere() {
    try (ChildProcess target = target()) {
      assertRefused(
          Sennit.run("profile", Integer.toString(target.pid()), "frobnicate=1"), "frobnicate");
      assertThat(target.isAlive()).isTrue();
    }
  }

  @Test
  void withoutTheAgentsFileItSaysWhereItLooked() {
    System.setProperty(FILE_PROPERTY, "elsewhere/sennit-agent.jar");
    try (ChildProcess target = target()) {
      assertRefused(
          Sennit.run("profile", Integer.toString(target.pid())), "elsewhere/sennit-agent.jar");
    } finally {
      nameTheAgent();
    }
  }
}
