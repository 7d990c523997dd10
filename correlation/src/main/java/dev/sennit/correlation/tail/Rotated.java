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
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files beside a followed one that may have been it, or copies of it. */
final class Rotated {
  /** A file and what is known of it. */
  record Sibling(Path path, FileId.Status status) {}

  private static final int DIGITS_OF_A_DATE = 6;

  private Rotated() {}

  /**
   * Whether a name is what rotation makes of another: a number or a date added at its end, or
   * before its extension. There a small number must stand between dots, for {@code worker-1.log} is
   * the log of another worker.
   */
  static boolean isNameOf(Path name, Path original) {
    String text = String.valueOf(name.getFileName());
    String base = String.valueOf(original.getFileName());
    if (text.length() < base.length() + 2) {
      return false;
    }
    if (text.startsWith(base)) {
      return isNumbering(text.substring(base.length()));
    }
    int dot = base.lastIndexOf('.');
    if (dot <= 0
        || !text.startsWith(base.substring(0, dot))
        || !text.endsWith(base.substring(dot))) {
      return false;
    }
    String added = text.substring(dot, text.length() - (base.length() - dot));
    long digits = added.chars().filter(c -> c >= '0' && c <= '9').count();
    return isNumbering(added) && (added.charAt(0) == '.' || digits >= DIGITS_OF_A_DATE);
  }

  private static boolean isNumbering(String text) {
    return "._-".indexOf(text.charAt(0)) >= 0
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || "._-T".indexOf(c) >= 0);
  }

  /** Where the file with this number is, if its name is another by now; null if it is nowhere. */
  static @Nullable Sibling find(Path original, FileId id) {
    for (Path path : list(original)) {
      FileId.@Nullable Status status = FileId.status(path);
      if (status != null && status.id().equals(id)) {
        return new Sibling(path, status);
      }
    }
    return null;
  }

  /** Files with names that rotation makes, those that were changed last at the end. */
  static List<Sibling> of(Path original) {
    List<Sibling> siblings = new ArrayList<>();
    for (Path path : list(original)) {
      if (isNameOf(path, original)) {
        FileId.@Nullable Status status = FileId.status(path);
        if (status != null) {
          siblings.add(new Sibling(path, status));
        }
      }
    }
    siblings.sort(Comparator.comparingLong(sibling -> sibling.status().modified()));
    return siblings;
  }

  /** What is in its folder, and in that of the file that it is a link to. */
  private static List<Path> list(Path original) {
    Set<Path> folders = new LinkedHashSet<>();
    add(folders, original);
    try {
      add(folders, original.toRealPath());
    } catch (IOException e) {
      // It is gone, or a link to what is gone.
    }
    List<Path> paths = new ArrayList<>();
    for (Path folder : folders) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        entries.forEach(paths::add);
      } catch (IOException | DirectoryIteratorException e) {
        // What cannot be listed cannot be found.
      }
    }
    return paths;
  }

  private static void add(Set<Path> folders, Path file) {
    @Nullable Path folder = file.getParent();
    if (folder != null) {
      folders.add(folder);
    }
  }
}
