/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.correlation.record.Severity;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines that real loggers write in other processes, as they come without any configuration. */
class RealLoggersTest {
  private static final String PYTHON =
      """
      import logging, sys
      logging.basicConfig(stream=sys.stdout%s)
      log = logging.getLogger("org.example.shop.Orders")
      try:
          raise ValueError("no stock")
      except ValueError:
          log.exception("order failed")
      log.error("order lost")
      """;

  private final LineParser parser = new LineParser();

  /** Puts the lines together as they belong, and reads them. */
  private List<Parsed> records(List<String> lines) {
    List<StringBuilder> records = new ArrayList<>();
    for (String line : lines) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      if (parser.begins(bytes, 0, bytes.length)) {
        records.add(new StringBuilder(line));
      } else {
        records.getLast().append('\n').append(line);
      }
    }
    long now = Instant.now().getEpochSecond() * 1_000_000_000;
    return records.stream()
        .map(
            record -> {
              byte[] bytes = record.toString().getBytes(StandardCharsets.UTF_8);
              return parser.parse(bytes, 0, bytes.length, now);
            })
        .toList();
  }

  private static void assertUnderstood(List<Parsed> records, String type, boolean timed) {
    assertThat(records).hasSize(2);
    Parsed failed = records.getFirst();
    assertThat(new String(failed.body(), StandardCharsets.UTF_8)).startsWith("order failed\n");
    assertThat(failed.attributes())
        .containsEntry("exception.type", AttributeValue.of(type))
        .containsEntry("exception.message", AttributeValue.of("no stock"))
        .containsKey("exception.stacktrace");
    Parsed lost = records.getLast();
    assertThat(new String(lost.body(), StandardCharsets.UTF_8)).isEqualTo("order lost");
    assertThat(lost.attributes()).doesNotContainKey("exception.type");
    for (Parsed record : records) {
      assertThat(record.severity()).isEqualTo(Severity.ERROR);
      if (timed) {
        assertThat(Instant.ofEpochSecond(0, record.time()))
            .isBetween(Instant.now().minus(Duration.ofMinutes(10)), Instant.now().plusSeconds(1));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "logback, log.logger, org.example.shop.Orders",
    "log4j, thread.name, main",
    "jul, log.logger, dev.sennit.correlation.parse.LoggingProgram",
  })
  void theLoggersOfJavaAreUnderstood(String name, String attribute, String value) {
    try (ChildProcess program = ChildProcess.java(LoggingProgram.class, name)) {
      List<Parsed> records = records(program.readAll());
      assertUnderstood(records, "java.lang.IllegalStateException", true);
      assertThat(records.getLast().attributes()).containsEntry(attribute, AttributeValue.of(value));
    }
  }

  @Test
  @Requires(commands = "python3")
  void theLoggerOfPythonIsUnderstood() {
    String format = ", format='%(asctime)s - %(name)s - %(levelname)s - %(message)s'";
    for (String options : new String[] {"", format}) {
      try (ChildProcess program =
          ChildProcess.start(List.of("python3", "-c", PYTHON.replace("%s)\n", options + ")\n")))) {
        List<Parsed> records = records(program.readAll());
        assertUnderstood(records, "ValueError", !options.isEmpty());
        assertThat(records.getLast().attributes())
            .containsEntry("log.logger", AttributeValue.of("org.example.shop.Orders"));
      }
    }
  }
}
