/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Stacks of which the JVM shows a part. */
class DeepStackTest {
  private static final int DEPTH = 3000;

  /** Has a thread that called itself many times, one that did not, and a virtual one. */
  static final class Recursion {
    private Recursion() {}

    public static void main(String[] arguments) throws IOException {
      List<Thread> threads =
          List.of(
              Thread.ofPlatform().daemon().name("deep").start(() -> descend(DEPTH)),
              Thread.ofPlatform().daemon().name("shallow").start(() -> descend(10)),
              Thread.ofVirtual().name("parked").start(() -> descend(DEPTH)));
      for (Thread thread : threads) {
        while (thread.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
      }
      @Nullable CallStackSampler sampler =
          CallStackSampler.startIfEnabled(System::getenv, System::getProperty);
      System.out.println("ready " + (sampler != null));
      System.in.read();
    }

    private static int descend(int further) {
      if (further > 0) {
        return descend(further - 1) + 1;
      }
      while (true) {
        LockSupport.park();
      }
    }
  }

  @Test
  void areMarkedWhereTheJvmCutsThem() {
    List<LogRecord> records = sample(SampledProgram.OPEN_PACKAGES);

    assertThat(frames(records, "deep")).isEqualTo(1024);
    assertThat(isMarked(records, "deep")).isTrue();
    assertThat(isMarked(records, "shallow")).isFalse();
    assertThat(frames(records, "parked")).isGreaterThan(DEPTH);
    assertThat(isMarked(records, "parked")).isFalse();
  }

  @Test
  void areMarkedWhereTheUserHasTheJvmCutThemAndTheJdkIsClosed() {
    List<LogRecord> records = sample(List.of("-XX:MaxJavaStackTraceDepth=200"));

    assertThat(frames(records, "deep")).isEqualTo(200);
    assertThat(isMarked(records, "deep")).isTrue();
    assertThat(isMarked(records, "shallow")).isFalse();
  }

  private static List<LogRecord> sample(List<String> options) {
    List<LogRecord> records = new ArrayList<>();
    try (LogCollector collector = LogCollector.start();
        ChildProcess program =
            SampledProgram.start(
                Recursion.class,
                Map.of(
                    "SPLUNK_PROFILER_ENABLED", "true",
                    "SPLUNK_PROFILER_VIRTUAL_THREADS", "all",
                    "SPLUNK_PROFILER_LOGS_ENDPOINT", collector.endpoint()),
                options)) {
      program.expect("ready true");
      records.addAll(LogCollector.records(collector.take()));
    }
    return records;
  }

  private static LogRecord of(List<LogRecord> records, String thread) {
    return records.stream()
        .filter(record -> record.getBody().getStringValue().startsWith("\"" + thread + "\" "))
        .findFirst()
        .orElseThrow();
  }

  private static int frames(List<LogRecord> records, String thread) {
    return ParsedStack.parse(of(records, thread).getBody().getStringValue()).frames().size();
  }

  private static boolean isMarked(List<LogRecord> records, String thread) {
    return of(records, thread).getAttributesList().stream()
        .filter(attribute -> attribute.getKey().equals("thread.stack.truncated"))
        .map(KeyValue::getValue)
        .anyMatch(AnyValue::getBoolValue);
  }
}
