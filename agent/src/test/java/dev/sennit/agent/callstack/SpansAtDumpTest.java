/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpansAtDumpTest {
  private static final int STACKS = 200;

  @Test
  void namesTheSpanOfTheInstantWhileThreadsSwitchSpansEvery50Microseconds(@TempDir Path queue) {
    SpanTally tally = new SpanTally();
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
      while (tally.inSpan() < STACKS) {
        for (LogRecord record : LogCollector.records(collector.take())) {
          tally.judge(record, ParsedStack.parse(record.getBody().getStringValue()));
        }
      }
    }
    assertThat(tally.wrong()).isZero();
    assertThat(tally.right()).isGreaterThanOrEqualTo(tally.inSpan() * 95 / 100);
    System.out.printf(
        "switches every 50 µs: %d of %d stacks in a span have its ids, 0 another's%n",
        tally.right(), tally.inSpan());
  }
}
