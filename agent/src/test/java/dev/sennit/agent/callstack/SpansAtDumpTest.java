/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpansAtDumpTest {
  private static final int STACKS = 200;

  @Test
  void namesTheSpanOfTheInstantWhileThreadsSwitchSpansEvery50Microseconds(@TempDir Path queue) {
    int inSpan = 0;
    int right = 0;
    int wrong = 0;
    int seenOutside = 0;
    try (LogCollector collector = LogCollector.start();
        ChildProcess program =
            SampledProgram.start(
                SpanSwitches.class,
                Map.of(
                    "SPLUNK_PROFILER_ENABLED",
                    "true",
                    "SPLUNK_PROFILER_LOGS_ENDPOINT",
                    collector.endpoint(),
                    "SPLUNK_PROFILER_CALL_STACK_INTERVAL",
                    "20",
                    "SENNIT_OTLP_QUEUE_DIRECTORY",
                    queue.toString()),
                "4")) {
      program.expect("ready");
      while (inSpan < STACKS) {
        for (LogRecord record : LogCollector.records(collector.take())) {
          ParsedStack stack = ParsedStack.parse(record.getBody().getStringValue());
          String trace = hex(record.getTraceId().toByteArray());
          String span = hex(record.getSpanId().toByteArray());
          String expected = expectedSpan(stack);
          if (!stack.name().startsWith("switches")) {
            continue;
          }
          if (expected.isEmpty()) {
            seenOutside += isIn(stack, "inNoSpan") && !span.isEmpty() ? 1 : 0;
            continue;
          }
          inSpan++;
          if (span.equals(expected)) {
            assertThat(trace)
                .isEqualTo(HexFormat.of().toHexDigits(stack.index()) + "0000000000000001");
            right++;
          } else if (!span.isEmpty()) {
            wrong++;
          }
        }
      }
    }
    assertThat(wrong).isZero();
    assertThat(seenOutside).isZero();
    assertThat(right).isGreaterThanOrEqualTo(inSpan * 95 / 100);
  }

  private static String expectedSpan(ParsedStack stack) {
    return isIn(stack, "inEvenSpan")
        ? "0000000000000002"
        : isIn(stack, "inOddSpan") ? "0000000000000003" : "";
  }

  private static boolean isIn(ParsedStack stack, String method) {
    return stack.frames().stream().anyMatch(frame -> frame.contains("." + method + "("));
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
