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

/** Recordings of the JMC writer, whose contents the test knows. */
final class WrittenRecordingTest {
  @TempDir Path folder;

  @Test
  void everyFieldIsAsTheJdkReadsIt() throws IOException {
    Path recording = WrittenRecordings.datadog(folder);
    assertThat(JdkComparison.assertSame(recording))
        .containsEntry("datadog.ExecutionSample", WrittenRecordings.EVENTS);
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
            assertThat(stacks.line(stacks.depth() - 1)).isEqualTo(100 * n + n % 7);
            assertThat(stacks.bytecodeIndex(0)).isEqualTo(-1);
            seen.add(event.eventName());
          });
      assertThat(seen).hasSize(WrittenRecordings.EVENTS);
    }
  }
}
