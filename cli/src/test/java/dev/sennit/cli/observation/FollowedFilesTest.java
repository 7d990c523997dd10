/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.correlation.line.Line;
import dev.sennit.correlation.tail.TailSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FollowedFilesTest {
  @TempDir private Path folder;

  private final List<Line> lines = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private Path file;
  private long now = TimeUnit.SECONDS.toNanos(1_700_000_000);

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("shop.txt");
    Files.writeString(file, "old\n");
  }

  @Test
  void newLinesAreReadWithWhatBelongsToThem() throws IOException {
    try (FollowedFiles files = follow()) {
      append("2026-11-15 18:02:40 ERROR failed\njava.io.IOException: no\n\tat a.B.c(B.java:1)\n");
      append("2026-11-15 18:02:41 INFO done\n");
      read(files);

      assertThat(texts())
          .containsExactly(
              "2026-11-15 18:02:40 ERROR failed\njava.io.IOException: no\n\tat a.B.c(B.java:1)",
              "2026-11-15 18:02:41 INFO done");
      assertThat(files.file(lines.getFirst().descriptor())).isEqualTo(file);
    }
    assertThat(said).isEmpty();
  }

  @Test
  void afterARestartItGoesOnWhereItWas() throws IOException {
    try (FollowedFiles files = follow()) {
      append("first\n");
      read(files);
    }
    append("second\n");
    try (FollowedFiles files = follow()) {
      read(files);
    }

    assertThat(texts()).containsExactly("first", "second");
  }

  private FollowedFiles follow() throws IOException {
    FollowedFiles files = new FollowedFiles(lines::add, () -> {}, said::add);
    files.change(
        Optional.of(
            new TailOptions(
                TailSettings.of(List.of(folder + "/*.txt")), folder.resolve("state/positions"))));
    return files;
  }

  private void append(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  /** What may go on is waited for. */
  private void read(FollowedFiles files) {
    files.read(now);
    now += TimeUnit.SECONDS.toNanos(1);
    files.read(now);
  }

  private List<String> texts() {
    return lines.stream().map(line -> new String(line.bytes(), UTF_8)).toList();
  }
}
