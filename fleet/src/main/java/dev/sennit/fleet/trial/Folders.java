/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes what a trial has left. */
final class Folders {
  private static final int MOST_ATTEMPTS = 20;

  private Folders() {}

  /** Also while somebody still writes there, who has to stop at some time. */
  static void remove(Path folder) throws IOException {
    for (int attempt = 1; Files.exists(folder); attempt++) {
      try {
        removeOnce(folder);
      } catch (IOException | UncheckedIOException e) {
        if (attempt == MOST_ATTEMPTS) {
          throw new IOException(folder + " cannot be removed: " + e.getMessage(), e);
        }
      }
    }
  }

  private static void removeOnce(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(folder)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return;
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}
