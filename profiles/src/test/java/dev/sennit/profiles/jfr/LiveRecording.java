/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.consumer.RecordingStream;

/** Copies the chunk that the flight recorder is writing, after a flush and before its end. */
final class LiveRecording {
  private LiveRecording() {}

  /** Argument: where to copy it. */
  public static void main(String[] args) throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    try (RecordingStream stream = new RecordingStream()) {
      stream.enable("jdk.ThreadSleep").withThreshold(Duration.ZERO).withStackTrace();
      stream.onEvent("jdk.ThreadSleep", event -> seen.countDown());
      stream.startAsync();
      while (seen.getCount() > 0) {
        Thread.sleep(20);
      }
      copy(Path.of(System.getProperty("jdk.jfr.repository")), Path.of(args[0]));
    }
  }

  private static void copy(Path repository, Path target) throws IOException {
    try (DirectoryStream<Path> chunks = Files.newDirectoryStream(repository, "*.jfr")) {
      for (Path chunk : chunks) {
        if (Files.size(chunk) > 0) {
          Files.copy(chunk, target);
          return;
        }
      }
    }
    throw new IllegalStateException("no chunk in " + repository);
  }
}
