/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import dev.sennit.testing.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sending must leave alone in an application. */
class SilenceTest {
  private static List<String> run(Map<String, Object> properties) {
    List<String> options = new ArrayList<>();
    options.add("-Djava.util.logging.manager=" + SilentProgram.Manager.class.getName());
    properties.forEach((name, value) -> options.add("-D" + name + "=" + value));
    try (ChildProcess child =
        ChildProcess.start(ChildProcess.javaCommand(options, SilentProgram.class))) {
      List<String> lines = child.readAll();
      System.out.println(lines + child.errors());
      return lines;
    }
  }

  @Test
  void grpc() {
    try (GrpcCollector collector = GrpcCollector.start()) {
      run(
          Map.of(
              "sennit.otlp.protocol",
              "grpc",
              "sennit.otlp.endpoint",
              "http://localhost:" + collector.port()));
    }
  }

  @Test
  void http(@TempDir Path folder) {
    TestCertificates c = new TestCertificates(folder);
    try (HttpCollector collector = HttpCollector.startSecure(c)) {
      run(
          Map.of(
              "sennit.otlp.endpoint",
              "https://localhost:" + collector.port(),
              "sennit.otlp.certificate",
              c.server()));
      run(
          Map.of(
              "java.util.logging.config.file",
              "/dev/null",
              "sennit.otlp.endpoint",
              "https://localhost:" + collector.port(),
              "sennit.otlp.certificate",
              c.server()));
    }
  }
}
