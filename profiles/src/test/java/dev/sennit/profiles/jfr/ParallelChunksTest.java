/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings joined end to end are one recording, and several threads share the work. */
final class ParallelChunksTest {
  private static final int CHUNKS = 20;

  @TempDir Path folder;

  @Test
  void eachChunkIsReadByAThreadOfItsOwn() throws Exception {
    byte[] one = Files.readAllBytes(WrittenRecordings.datadog(folder));
    Path joined = folder.resolve("joined.jfr");
    try (OutputStream out = Files.newOutputStream(joined)) {
      for (int i = 0; i < CHUNKS; i++) {
        out.write(one);
      }
    }
    try (JfrFile file = JfrFile.open(joined);
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> counts = new ArrayList<>();
      for (JfrChunk chunk : file.chunks()) {
        counts.add(threads.submit(() -> count(chunk)));
      }
      assertThat(counts).hasSize(CHUNKS);
      for (Future<Integer> count : counts) {
        assertThat(count.get()).isEqualTo(WrittenRecordings.EVENTS);
      }
    }
  }

  private static int count(JfrChunk chunk) throws IOException {
    int[] count = new int[1];
    try (ChunkReader reader = chunk.open()) {
      reader.subscribe("datadog.ExecutionSample", "spanId", "stackTrace");
      reader.forEachEvent(
          event -> {
            assertThat(event.longValue(0)).isEqualTo(WrittenRecordings.spanId(count[0]++));
            assertThat(reader.stackTraces().find(event.longValue(1))).isTrue();
          });
    }
    return count[0];
  }
}
