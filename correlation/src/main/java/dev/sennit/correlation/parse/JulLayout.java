/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.wordEnd;

import org.jspecify.annotations.Nullable;

/**
 * The two lines of {@code java.util.logging}: {@code Nov 15, 2026 6:02:40 PM class method}, and
 * {@code INFO: message}.
 */
final class JulLayout implements Layout {
  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    int second = nextLine(line);
    if (!isHead(line) || second >= line.to) {
      return false;
    }
    int colon = second;
    while (colon < line.to && Ascii.isLetter(bytes[colon])) {
      colon++;
    }
    @Nullable Level level = Level.of(bytes, second, colon);
    if (level == null || colon >= line.to || bytes[colon] != ':') {
      return false;
    }
    draft.time = line.time;
    draft.level(level);
    int logger = line.timeEnd + 1;
    int loggerEnd = wordEnd(bytes, logger, line.end);
    draft.putName("log.logger", bytes, logger, loggerEnd);
    if (loggerEnd + 1 < line.end) {
      draft.putName("code.function.name", bytes, loggerEnd + 1, line.end);
    }
    int body = Math.min(line.to, colon + 2);
    draft.body(bytes, body, line.to);
    return true;
  }

  private static int nextLine(Line line) {
    int newline = Ascii.find(line.bytes, line.end, line.to, '\n');
    return newline < 0 ? line.to : newline + 1;
  }

  /** Whether this is the first of the two lines: a time with a noon, and a name or two. */
  static boolean isHead(Line line) {
    byte[] bytes = line.bytes;
    int at = line.timeEnd;
    if (!line.timed
        || at >= line.end
        || bytes[at] != ' '
        || bytes[at - 1] != 'M'
        || !Ascii.isLetter(bytes[line.from])) {
      return false;
    }
    int first = wordEnd(bytes, at + 1, line.end);
    return wordEnd(bytes, Math.min(line.end, first + 1), line.end) == line.end;
  }
}
