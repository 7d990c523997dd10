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

/** A chunk that the flight recorder has not finished. */
final class LiveRecordingTest {
  @TempDir Path folder;

  @Test
  void whatIsFlushedIsReadWithItsStacksAndAWarning() throws IOException {
    Path chunk = folder.resolve("live.jfr");
    Recordings.java(List.of(), LiveRecording.class, chunk.toString());
    List<String> callers = new ArrayList<>();
    try (JfrFile file = JfrFile.open(chunk);
        ChunkReader reader = file.chunks().getFirst().open()) {
      assertThat(file.chunks()).singleElement().matches(JfrChunk::partial);
      requireNonNull(reader.subscribe("jdk.ThreadSleep", "stackTrace", "time"));
      reader.forEachEvent(
          event -> {
            StackTraces stacks = reader.stackTraces();
            assertThat(stacks.find(event.longValue(0))).isTrue();
            assertThat(reader.methods().find(stacks.method(stacks.frame(stacks.depth() - 1))))
                .isTrue();
            callers.add(String.valueOf(reader.symbol(reader.methods().nameSymbol())));
          });
      assertThat(callers).isNotEmpty().contains("main");
      assertThat(file.warnings()).isNotEmpty().first().asString().contains("still being written");
    }
  }
}
