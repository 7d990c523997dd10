/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** A path with wildcards in some of its parts. */
record PathPattern(List<String> parts) {
  static PathPattern of(String text) {
    List<String> parts = new ArrayList<>();
    for (String part : text.split("/")) {
      if (!part.isEmpty()) {
        parts.add(part);
      }
    }
    return new PathPattern(parts);
  }

  /** The names that it stands for now. */
  TreeSet<Path> expand() {
    TreeSet<Path> found = new TreeSet<>();
    found.add(Path.of("/"));
    for (String part : parts) {
      TreeSet<Path> next = new TreeSet<>();
      for (Path folder : found) {
        if (isPlain(part)) {
          next.add(folder.resolve(part));
        } else {
          list(folder, part, next);
        }
      }
      found = next;
    }
    return found;
  }

  private static boolean isPlain(String part) {
    return part.chars().noneMatch(c -> "*?[{\\".indexOf(c) >= 0);
  }

  private static void list(Path folder, String part, TreeSet<Path> into) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, part)) {
      entries.forEach(into::add);
    } catch (IOException | DirectoryIteratorException e) {
      // A folder that cannot be read now may be readable at the next search.
    }
  }
}
