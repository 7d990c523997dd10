/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.correlation.record.Severity;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The words by which loggers say how grave a line is. */
record Level(String word, Severity severity) {
  private static final int LONGEST = 11;

  /** By their first letter, so that a word that is none is refused after few comparisons. */
  private static final Level[][] BY_LETTER = new Level[26][];

  static {
    for (int i = 0; i < BY_LETTER.length; i++) {
      BY_LETTER[i] = new Level[0];
    }
    add(Severity.TRACE, "trace", "trc", "trce", "finest", "finer", "verbose");
    add(Severity.DEBUG, "debug", "dbg", "dbug", "fine");
    add(Severity.INFO, "info", "inf", "information", "config", "log", "success");
    add(Severity.NOTICE, "notice");
    add(Severity.WARN, "warn", "warning", "wrn");
    add(Severity.ERROR, "error", "err", "severe", "fail");
    add(Severity.CRITICAL, "critical", "crit", "dpanic");
    add(Severity.ALERT, "alert");
    add(Severity.FATAL, "fatal", "ftl", "emerg", "emergency", "panic", "pnc");
  }

  private static void add(Severity severity, String... words) {
    for (String word : words) {
      int letter = word.charAt(0) - 'a';
      Level[] before = BY_LETTER[letter];
      Level[] after = new Level[before.length + 2];
      System.arraycopy(before, 0, after, 0, before.length);
      after[before.length] = new Level(word.toUpperCase(Locale.ROOT), severity);
      after[before.length + 1] = new Level(word, severity);
      BY_LETTER[letter] = after;
    }
  }

  /** The level that the range says, however it is written; null if it says none. */
  static @Nullable Level of(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length < 3 || length > LONGEST || !Ascii.isLetter(bytes[from])) {
      return null;
    }
    Level[] levels = BY_LETTER[(bytes[from] | 0x20) - 'a'];
    for (Level level : levels) {
      if (level.word.length() == length && Ascii.startsWith(bytes, from, to, level.word)) {
        return level;
      }
    }
    for (Level level : levels) {
      if (level.word.length() == length && level.matchesAnyCase(bytes, from)) {
        return new Level(
            new String(bytes, from, length, StandardCharsets.US_ASCII), level.severity);
      }
    }
    return null;
  }

  private boolean matchesAnyCase(byte[] bytes, int from) {
    for (int i = 0; i < word.length(); i++) {
      if ((bytes[from + i] | 0x20) != (word.charAt(i) | 0x20)) {
        return false;
      }
    }
    return true;
  }

  /** What the severities of syslog are called, 0 to 7. */
  static Level ofSyslog(int number) {
    return switch (number) {
      case 0 -> new Level("emerg", Severity.FATAL);
      case 1 -> new Level("alert", Severity.ALERT);
      case 2 -> new Level("crit", Severity.CRITICAL);
      case 3 -> new Level("err", Severity.ERROR);
      case 4 -> new Level("warning", Severity.WARN);
      case 5 -> new Level("notice", Severity.NOTICE);
      case 6 -> new Level("info", Severity.INFO);
      default -> new Level("debug", Severity.DEBUG);
    };
  }

  /** The numbers of bunyan and pino, 10 to 60, and those of syslog below them. */
  static @Nullable Level ofNumber(long number) {
    if (number < 0 || number > 69) {
      return null;
    }
    if (number < 8) {
      return ofSyslog((int) number);
    }
    Severity severity =
        switch ((int) number / 10) {
          case 0, 1 -> Severity.TRACE;
          case 2 -> Severity.DEBUG;
          case 3 -> Severity.INFO;
          case 4 -> Severity.WARN;
          case 5 -> Severity.ERROR;
          default -> Severity.FATAL;
        };
    return new Level(Long.toString(number), severity);
  }
}
