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

@Requires
class PsCommandTest {
  @Test
  void listsProcessesThatPublishAndNoOthers() {
    try (Demo ring = Demo.start("--mode", "otel", "--threads", "3");
        Demo otep = Demo.start(Map.of("OTEL_SERVICE_NAME", "cart"), "--mode", "otep");
        Demo profiler = Demo.start("--mode", "profiler");
        ChildProcess silent = ChildProcess.start(List.of("cat"))) {
      Sennit ps = Sennit.run("ps");
      assertThat(ps.status()).isZero();
      assertThat(ps.out().lines().findFirst())
          .hasValueSatisfying(
              line ->
                  assertThat(line).matches("PID +SERVICE +INSTANCE +THREADS-IN-SPANS +STORAGE"));
      assertThat(line(ps, ring)).matches("\\d+ +sennit-demo-context +[0-9a-f-]{36} +[0-3] +otel");
      assertThat(line(ps, otep)).matches("\\d+ +cart +[0-9a-f-]{36} +- +otep");
      assertThat(line(ps, profiler))
          .matches("\\d+ +sennit-demo-context +[0-9a-f-]{36} +- +profiler");
      assertThat(ps.out()).doesNotContainPattern("(?m)^" + silent.pid() + " ");
    }
  }

  @Test
  void asJsonHasTheDocumentedForm() {
    try (Demo ring = Demo.start("--mode", "otel", "--threads", "3");
        Demo otep = Demo.start(Map.of("OTEL_SERVICE_NAME", "cart"), "--mode", "otep")) {
      JsonObject document = Sennit.run("ps", "--json").json();
      assertThat(document.members()).containsOnlyKeys("processes");
      JsonObject entry = entry(document, ring);
      assertThat(entry.members()).containsOnlyKeys("pid", "service", "instance", "threadsInSpans");
      assertThat(entry.text("service")).isEqualTo("sennit-demo-context");
      assertThat(entry.text("instance")).matches("[0-9a-f-]{36}");
      assertThat(entry.number("threadsInSpans")).isBetween(0L, 3L);
      assertThat(entry(document, otep).isNull("threadsInSpans")).isTrue();
    }
  }

  @Test
  void whatProcessesCallThemselvesDoesNotReachTheTerminal() {
    Map<String, String> hostile =
        Map.of("OTEL_SERVICE_NAME", "x\u001b]0;owned\u0007\u001b[2J\r\nfake " + "y".repeat(99));
    try (Demo demo = Demo.start(hostile)) {
      Sennit ps = Sennit.run("ps");
      assertThat(line(ps, demo)).contains("x\\u001b]0;owned\\u0007\\u001b[2J\\u000d\\u000afake …");
      assertThat(ps.out()).doesNotContain("\u001b", "\u0007", "\r");
      assertThat(entry(Sennit.run("ps", "--json").json(), demo).text("service"))
          .isEqualTo(hostile.get("OTEL_SERVICE_NAME"));
    }
  }

  private static String line(Sennit ps, Demo demo) {
    return ps.out()
        .lines()
        .filter(line -> line.startsWith(demo.pid() + " "))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line for " + demo.pid() + " in\n" + ps.out()));
  }

  private static JsonObject entry(JsonObject document, Demo demo) {
    return document.objects("processes").stream()
        .filter(entry -> entry.number("pid") == demo.process().pid())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no entry for " + demo.pid() + " in " + document));
  }
}
