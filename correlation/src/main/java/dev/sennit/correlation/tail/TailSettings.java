/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import java.time.Duration;
import java.util.List;

/**
 * What files are followed, and how.
 *
 * @param files paths, of which each part may have the wildcards of a glob, such as {@code
 *     /var/log/app/*.log}
 * @param fromBeginning whether a file that is there when it is followed for the first time is read
 *     from its beginning; else from its end
 * @param longestLine in bytes; of longer lines the beginning is taken
 * @param bytesPerRound how much is read of a file at once, before it is the turn of the others
 * @param mostFiles how many are followed at the same time; more are left alone
 * @param search how often it is looked for files that are new
 * @param patience how long a file that was renamed or deleted is watched, for what its writer has
 *     still to write
 */
public record TailSettings(
    List<String> files,
    boolean fromBeginning,
    int longestLine,
    int bytesPerRound,
    int mostFiles,
    Duration search,
    Duration patience) {
  private static final int LONGEST_LINE = 256 * 1024;
  private static final int BYTES_PER_ROUND = 1024 * 1024;
  private static final int MOST_FILES = 1000;

  public TailSettings {
    files = List.copyOf(files);
    for (String file : files) {
      if (!file.startsWith("/")) {
        throw new IllegalArgumentException(
            "the file to follow \"" + file + "\" is not an absolute path");
      }
    }
    if (longestLine < 1 || bytesPerRound < 1 || mostFiles < 1) {
      throw new IllegalArgumentException(
          "a bound of the followed files is less than 1: longest line "
              + longestLine
              + ", bytes per round "
              + bytesPerRound
              + ", files "
              + mostFiles);
    }
  }

  /** These files from their ends, everything else as it usually is. */
  public static TailSettings of(List<String> files) {
    return new TailSettings(
        files,
        false,
        LONGEST_LINE,
        BYTES_PER_ROUND,
        MOST_FILES,
        Duration.ofSeconds(1),
        Duration.ofSeconds(10));
  }

  /** The same, but files that are already there are read from their beginning. */
  public TailSettings withBeginning(boolean fromTheBeginning) {
    return new TailSettings(
        files, fromTheBeginning, longestLine, bytesPerRound, mostFiles, search, patience);
  }
}
