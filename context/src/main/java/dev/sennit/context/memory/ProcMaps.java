/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * Reads {@code /proc/PID/maps} line by line, so that a process with millions of mappings costs no
 * memory, and stops at a limit, so that it costs no more than a known time.
 */
public final class ProcMaps {
  /**
   * Lines read before giving up; a process may have millions, and a reader has other processes to
   * look at.
   */
  public static final int MAX_REGIONS = 1_000_000;

  /**
   * No kernel prints a longer line: addresses, and a path of at most PATH_MAX with each byte
   * escaped.
   */
  private static final int MAX_LINE = 20_000;

  private ProcMaps() {}

  /** Where the maps of a process are. */
  public static Path path(int pid) {
    return Path.of("/proc", Integer.toString(pid), "maps");
  }

  /**
   * Hands regions to {@code visitor} in address order until it answers false, the list ends or the
   * limit is reached.
   */
  public static void forEach(Path maps, Predicate<MappedRegion> visitor) throws IOException {
    try (InputStream in = Files.newInputStream(maps)) {
      byte[] buffer = new byte[64 * 1024];
      byte[] line = new byte[MAX_LINE];
      int length = 0;
      int regions = 0;
      for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
        for (int i = 0; i < n; i++) {
          byte b = buffer[i];
          if (b != '\n') {
            if (length < MAX_LINE) {
              line[length++] = b;
            }
            continue;
          }
          if (!visitor.test(parse(line, length)) || ++regions >= MAX_REGIONS) {
            return;
          }
          length = 0;
        }
      }
    }
  }

  /** Parses {@code start-end perms offset dev inode name}. */
  static MappedRegion parse(byte[] line, int length) {
    Cursor cursor = new Cursor(line, length);
    long start = cursor.number(16);
    cursor.skip('-');
    long end = cursor.number(16);
    String permissions = cursor.word();
    cursor.spaces();
    long offset = cursor.number(16);
    cursor.word();
    cursor.spaces();
    long inode = cursor.number(10);
    return new MappedRegion(start, end, permissions, offset, inode, cursor.rest());
  }

  private static final class Cursor {
    private final byte[] line;
    private final int length;
    private int at;

    Cursor(byte[] line, int length) {
      this.line = line;
      this.length = length;
    }

    long number(int radix) {
      long value = 0;
      for (int digit; at < length && (digit = Character.digit(line[at], radix)) >= 0; at++) {
        value = value * radix + digit;
      }
      return value;
    }

    void skip(char expected) {
      if (at < length && line[at] == expected) {
        at++;
      }
    }

    void spaces() {
      while (at < length && line[at] == ' ') {
        at++;
      }
    }

    String word() {
      spaces();
      int from = at;
      while (at < length && line[at] != ' ') {
        at++;
      }
      return new String(line, from, at - from, StandardCharsets.ISO_8859_1);
    }

    String rest() {
      spaces();
      return new String(line, at, length - at, StandardCharsets.UTF_8);
    }
  }
}
