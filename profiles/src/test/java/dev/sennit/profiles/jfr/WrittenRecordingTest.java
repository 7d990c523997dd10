/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Recordings of the JMC writer. The test knows their contents; the JDK's reader is no judge of
 * them, for it takes the first field of an event for its start, and here that is the stack trace.
 */
final class WrittenRecordingTest {
  @TempDir Path folder;

  @Test
  void everyFieldIsAsWritten() throws IOException {
    try (JfrFile file = JfrFile.open(WrittenRecordings.datadog(folder));
        ChunkReader reader = file.chunks().getFirst().open()) {
      requireNonNull(
          reader.subscribe(
              "datadog.ExecutionSample",
              "startTime",
              "localRootSpanId",
              "weight",
              "ratio",
              "flag",
              "shorter",
              "letter"));
      int[] seen = new int[1];
      reader.forEachEvent(
          event -> {
            int n = seen[0]++;
            assertThat(event.longValue(0)).isEqualTo(1_000L + n);
            assertThat(event.longValue(1)).isEqualTo(-1L);
            assertThat(event.longValue(2)).isEqualTo(-n);
            assertThat(event.doubleValue(3)).isEqualTo(n / 3.0);
            assertThat(event.booleanValue(4)).isEqualTo(n % 2 == 0);
            assertThat(event.longValue(5)).isEqualTo((short) (-300 * n));
            assertThat(event.longValue(6)).isEqualTo((char) (0xff00 + n));
          });
      assertThat(seen[0]).isEqualTo(WrittenRecordings.EVENTS);
      assertThat(file.warnings()).isEmpty();
    }
  }

  @Test
  void framesThatAreConstantsThemselvesAreFollowed() throws IOException {
    try (JfrFile file = JfrFile.open(WrittenRecordings.datadog(folder));
        ChunkReader reader = file.chunks().getFirst().open()) {
      requireNonNull(reader.subscribe("datadog.ExecutionSample", "stackTrace"));
      int[] seen = new int[1];
      reader.forEachEvent(
          event -> {
            int n = seen[0]++;
            StackTraces stacks = reader.stackTraces();
            Methods methods = reader.methods();
            Classes classes = reader.classes();
            assertThat(stacks.find(event.longValue(0))).isTrue();
            assertThat(stacks.depth()).isEqualTo(n % 7 + 1);
            for (int i = 0; i < stacks.depth(); i++) {
              assertThat(stacks.line(stacks.frame(i))).isEqualTo(100 * n + i);
              assertThat(reader.frameType(stacks.frameType(stacks.frame(i))))
                  .isEqualTo("Interpreted");
              assertThat(methods.find(stacks.method(stacks.frame(i)))).isTrue();
              assertThat(reader.symbol(methods.nameSymbol())).isEqualTo("run" + n);
              assertThat(reader.symbol(methods.descriptorSymbol())).isEqualTo("()V");
              assertThat(classes.find(methods.classId())).isTrue();
              assertThat(reader.symbol(classes.nameSymbol())).isEqualTo("com/acme/C" + n);
            }
          });
      assertThat(seen[0]).isEqualTo(WrittenRecordings.EVENTS);
    }
  }

  @Test
  void wantedFieldsComeInTheOrderAskedForWhateverLiesBetween() throws IOException {
    Path recording = WrittenRecordings.datadog(folder);
    try (JfrFile file = JfrFile.open(recording);
        ChunkReader reader = file.chunks().getFirst().open()) {
      requireNonNull(
          reader.subscribe(
              "datadog.ExecutionSample",
              "last",
              "share",
              "spanId",
              "operation",
              "small",
              "missing",
              "stackTrace"));
      List<String> seen = new ArrayList<>();
      reader.forEachEvent(
          event -> {
            int n = seen.size();
            assertThat(event.longValue(0)).isEqualTo(7L * n);
            assertThat(event.doubleValue(1)).isEqualTo(n / 4f);
            assertThat(event.longValue(2)).isEqualTo(WrittenRecordings.spanId(n));
            assertThat(event.text(3)).isEqualTo(n % 3 == 0 ? null : "op \u00fc\u4e2d " + n);
            assertThat(event.longValue(4)).isEqualTo((byte) -n);
            assertThat(event.has(5)).isFalse();
            assertThat(event.text(5)).isNull();
            StackTraces stacks = reader.stackTraces();
            assertThat(stacks.find(event.longValue(6))).isTrue();
            assertThat(stacks.depth()).isEqualTo(n % 7 + 1);
            assertThat(stacks.truncated()).isEqualTo(n % 5 == 0);
            assertThat(stacks.line(stacks.frame(stacks.depth() - 1))).isEqualTo(100 * n + n % 7);
            assertThat(stacks.bytecodeIndex(stacks.frame(0))).isEqualTo(-1);
            seen.add(event.eventName());
          });
      assertThat(seen).hasSize(WrittenRecordings.EVENTS);
    }
  }
}
