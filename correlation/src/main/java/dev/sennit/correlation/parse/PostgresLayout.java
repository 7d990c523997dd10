/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.isBlank;
import static dev.sennit.correlation.parse.Ascii.skipBlanks;
import static dev.sennit.correlation.parse.Ascii.wordEnd;

import org.jspecify.annotations.Nullable;

/** {@code TIME ZONE [PID] user@database LOG: message}, PostgreSQL's default and what it ships. */
final class PostgresLayout implements Layout {
  @Override
  public boolean read(Line line, Draft draft) {
    if (!line.timed) {
      return false;
    }
    byte[] bytes = line.bytes;
    int end = line.end;
    int at = skipBlanks(bytes, line.timeEnd, end);
    int zone = at;
    while (at < end && Ascii.isUpper(bytes[at]) && at - zone < 6) {
      at++;
    }
    at = skipBlanks(bytes, at, end);
    int close = at < end && bytes[at] == '[' ? Ascii.digitsEnd(bytes, at + 1, end) : end;
    if (close >= end || close == at + 1 || !isClose(bytes, close, end)) {
      return false;
    }
    long pid = Ascii.number(bytes, at + 1, Ascii.digitsEnd(bytes, at + 1, end));
    at = skipBlanks(bytes, wordEnd(bytes, close, end), end);
    int level = at;
    int levelEnd = wordEnd(bytes, at, end);
    int who = Ascii.find(bytes, at, levelEnd, '@');
    if (who >= 0) {
      level = skipBlanks(bytes, levelEnd, end);
      levelEnd = wordEnd(bytes, level, end);
    }
    if (levelEnd + 1 >= end
        || bytes[levelEnd - 1] != ':'
        || !isBlank(bytes[levelEnd])
        || !isBlank(bytes[levelEnd + 1])) {
      return false;
    }
    @Nullable Level known = Level.of(bytes, level, levelEnd - 1);
    if (known == null && !isFollowUp(bytes, level, levelEnd)) {
      return false;
    }
    draft.time = line.time;
    draft.pid(pid);
    draft.level(known);
    if (who >= 0) {
      draft.putName("user.name", bytes, at, who);
      draft.putName("db.namespace", bytes, who + 1, skipBack(bytes, who + 1, level));
    }
    draft.body(bytes, known == null ? level : levelEnd + 2, line.to);
    return true;
  }

  private static boolean isClose(byte[] bytes, int at, int end) {
    return bytes[at] == ']' || (bytes[at] == '-' && Ascii.find(bytes, at, end, ']') > 0);
  }

  private static int skipBack(byte[] bytes, int from, int to) {
    int at = to;
    while (at > from && isBlank(bytes[at - 1])) {
      at--;
    }
    return at;
  }

  /** What PostgreSQL writes after a message, on lines of their own. */
  private static boolean isFollowUp(byte[] bytes, int from, int to) {
    for (String word : new String[] {"STATEMENT:", "DETAIL:", "HINT:", "CONTEXT:", "QUERY:"}) {
      if (to - from == word.length() && Ascii.startsWith(bytes, from, to, word)) {
        return true;
      }
    }
    return false;
  }
}
