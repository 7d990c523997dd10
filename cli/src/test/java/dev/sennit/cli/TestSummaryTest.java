/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The summary with which {@code ./verify} ends. */
class TestSummaryTest {
  @TempDir Path folder;

  @Test
  void countsTestsAndSaysWhyTheyWereSkippedOrFailed() throws IOException {
    report(
        "one",
        """
        <testcase classname="a.B" name="passes" time="0.1"/>
        <testcase classname="a.B" name="passesToo"><system-out>failure</system-out></testcase>
        <testcase classname="a.B" name="isSkipped"><skipped message="needs root"/></testcase>
        """);
    report(
        "two",
        """
        <testcase classname="a.C" name="fails"><failure message="1 is not 2&#10;at a.C">x</failure>
        </testcase>
        <testcase classname="a.C" name="breaks"><error>java.io.IOException: gone
        at a.C</error></testcase>
        """);
    Summary summary = summary(folder.resolve("one"), folder.resolve("two"));
    assertThat(summary.lines)
        .containsExactly(
            "skipped a.B.isSkipped: needs root",
            "failed  a.C.fails: 1 is not 2 at a.C",
            "failed  a.C.breaks: java.io.IOException: gone at a.C",
            "2 passed, 2 failed, 1 skipped");
    assertThat(summary.status).isEqualTo(1);
  }

  @Test
  void allIsWellWhenTestsPassed() throws IOException {
    report("one", "<testcase classname=\"a.B\" name=\"passes\"/>");
    assertThat(summary(folder.resolve("one")))
        .isEqualTo(new Summary(0, List.of("1 passed, 0 failed, 0 skipped")));
  }

  @Test
  void noTestAtAllIsAFailure() {
    assertThat(summary(folder.resolve("*")))
        .isEqualTo(new Summary(1, List.of("0 passed, 0 failed, 0 skipped")));
  }

  @Test
  void aReportThatBreaksOffIsAFailure() throws IOException {
    report("one", "<testcase classname=\"a.B\" name=\"passes\"/>");
    Files.writeString(folder.resolve("one/TEST-broken.xml"), "<testsuite><testcase");
    Summary summary = summary(folder.resolve("one"));
    assertThat(summary.lines).last().isEqualTo("1 passed, 1 failed, 0 skipped");
    assertThat(summary.status).isEqualTo(1);
  }

  private record Summary(int status, List<String> lines) {}

  private void report(String name, String cases) throws IOException {
    Files.writeString(
        Files.createDirectories(folder.resolve(name)).resolve("TEST-" + name + ".xml"),
        "<?xml version=\"1.0\"?><testsuite tests=\"99\">" + cases + "</testsuite>");
  }

  private static Summary summary(Path... folders) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Path.of("../build-support/TestSummary.java").toString()));
    for (Path each : folders) {
      command.add(each.toString());
    }
    try (ChildProcess java = ChildProcess.start(command)) {
      List<String> lines = java.readAll();
      return new Summary(java.waitFor(), lines);
    }
  }
}
