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

@Requires
class ContextCommandTest {
  /** More than the largest pid that Linux gives out. */
  private static final String NO_PID = "4194305";

  @ParameterizedTest
  @ValueSource(strings = {"otel", "otep"})
  void showsTheThreadsOfAnotherProcess(String mode) {
    try (Demo demo = Demo.start("--mode", mode, "--threads", "8")) {
      JsonObject document = readUntilSomeThreadIsInASpan(demo);
      assertThat(document.members()).containsOnlyKeys("pid", "process", "threads");
      assertThat(document.number("pid")).isEqualTo(demo.process().pid());
      JsonObject process = document.object("process");
      assertThat(process.number("version")).isEqualTo(2);
      assertThat(process.number("publishedAtNs")).isPositive();
      assertThat(process.object("resource").text("service.name")).isEqualTo("sennit-demo-context");
      assertThat(process.object("attributes").text("sennit.thread_storage")).isEqualTo(mode);
      assertThat(document.objects("threads"))
          .hasSizeBetween(1, 8)
          .allSatisfy(
              thread -> {
                assertThat(thread.members())
                    .containsOnlyKeys(
                        "tid", "name", "traceId", "spanId", "rootSpanId", "flags", "attributes");
                assertThat(thread.number("tid")).isGreaterThan(demo.process().pid());
                assertThat(thread.text("name")).matches("demo-[1-8]");
                assertThat(thread.text("traceId")).matches("[0-9a-f]{32}");
                assertThat(thread.text("spanId")).matches("[0-9a-f]{16}");
                assertThat(thread.text("rootSpanId"))
                    .isEqualTo(thread.text("traceId").substring(16));
                assertThat(thread.number("flags")).isEqualTo(1);
                if (mode.equals("otep")) {
                  assertThat(thread.object("attributes").text("http.route")).startsWith("/");
                }
              });
    }
  }

  private static JsonObject readUntilSomeThreadIsInASpan(Demo demo) {
    for (int i = 0; i < 100; i++) {
      Sennit context = Sennit.run("context", demo.pid(), "--threads", "--json");
      assertThat(context.status()).as(context.err()).isZero();
      assertThat(context.err()).isEmpty();
      if (!context.json().objects("threads").isEmpty()) {
        return context.json();
      }
    }
    throw new AssertionError("8 threads were in no span at 100 readings");
  }

  @Test
  void showsItToPeopleInAlignedColumns() {
    try (Demo demo = Demo.start("--mode", "otel", "--threads", "8")) {
      Sennit context = Sennit.run("context", demo.pid(), "--threads");
      assertThat(context.status()).isZero();
      assertThat(context.out())
          .startsWith("process " + demo.pid() + ", context version 2, published ")
          .containsPattern("(?m)^resource$")
          .containsPattern("(?m)^  service\\.name +sennit-demo-context$")
          .containsPattern("(?m)^attributes$")
          .containsPattern("(?m)^threads in spans: \\d");
    }
  }

  @Test
  void theThreadsOfModeProfilerCannotBeReadFromOutside() {
    try (Demo demo = Demo.start("--mode", "profiler")) {
      Sennit context = Sennit.run("context", demo.pid(), "--threads");
      assertThat(context.status()).isEqualTo(1);
      assertThat(context.err())
          .startsWith("sennit: process " + demo.pid() + " ")
          .contains("profiler mode", "cannot be read from outside");
      assertThat(context.out()).as("who it is can be read").contains("sennit-demo-context");

      Sennit json = Sennit.run("context", demo.pid(), "--threads", "--json");
      assertThat(json.status()).isEqualTo(1);
      assertThat(json.json().isNull("threads")).isTrue();
      assertThat(json.json().text("problem")).contains("from outside");

      assertThat(Sennit.run("context", demo.pid()).status()).as("nobody asked").isZero();
    }
  }

  @Test
  void aProcessThatDoesNotExistIsWrongInput() {
    Sennit context = Sennit.run("context", NO_PID, "--json");
    assertThat(context.status()).isEqualTo(2);
    assertThat(context.out()).isEmpty();
    assertThat(context.err()).isEqualTo("sennit: there is no process " + NO_PID + "\n");
  }

  @Test
  void aProcessThatPublishesNothingIsNotSo() {
    try (ChildProcess silent = ChildProcess.start(List.of("cat"))) {
      String pid = Integer.toString(silent.pid());
      Sennit context = Sennit.run("context", pid);
      assertThat(context.status()).isEqualTo(1);
      assertThat(context.out()).isEmpty();
      assertThat(context.err()).isEqualTo("sennit: process " + pid + " publishes no context\n");

      Sennit json = Sennit.run("context", pid, "--json");
      assertThat(json.status()).isEqualTo(1);
      assertThat(json.json().isNull("process")).isTrue();
    }
  }

  @Test
  void whatAProcessCallsItselfDoesNotReachTheTerminal() {
    Map<String, String> hostile =
        Map.of(
            "OTEL_SERVICE_NAME", "x\u001b]0;owned\u0007", "OTEL_RESOURCE_ATTRIBUTES", "a=%1B%5B2J");
    try (Demo demo = Demo.start(hostile)) {
      assertThat(demo.announcement()).contains("x\\u001b]0;owned\\u0007");
      Sennit context = Sennit.run("context", demo.pid(), "--threads");
      assertThat(context.out())
          .contains("x\\u001b]0;owned\\u0007", "\\u001b[2J")
          .doesNotContain("\u001b", "\u0007");
    }
  }
}
