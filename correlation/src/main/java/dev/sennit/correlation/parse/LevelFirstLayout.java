/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.isBlank;
import static dev.sennit.correlation.parse.Ascii.skipBlanks;

import org.jspecify.annotations.Nullable;

/**
 * A level first: {@code INFO:logger:message} of Python, {@code INFO: message} of uvicorn, and
 * patterns that begin so.
 */
final class LevelFirstLayout implements Layout {
  private static final int LONGEST_LOGGER = 128;

  private final Head head;

  LevelFirstLayout(Head head) {
    this.head = head;
  }

  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    int word = skipBlanks(bytes, line.from, line.end);
    int end = word;
    while (end < line.end && Ascii.isLetter(bytes[end])) {
      end++;
    }
    @Nullable Level level = end == line.end ? null : Level.of(bytes, word, end);
    if (level == null) {
      return false;
    }
    draft.level(level);
    int body = bytes[end] == ':' ? afterColon(line, draft, end + 1) : afterBlank(line, draft, end);
    if (body < 0) {
      return false;
    }
    Mentions.find(bytes, body, line.end, draft);
    draft.body(bytes, body, line.to);
    return true;
  }

  private static int afterColon(Line line, Draft draft, int from) {
    byte[] bytes = line.bytes;
    if (from >= line.end || isBlank(bytes[from])) {
      return skipBlanks(bytes, from, line.end);
    }
    if (!Ascii.isUpper(bytes[from - 2])) {
      return -1; // "error:12" is no logger's line
    }
    int limit = Math.min(line.end, from + LONGEST_LOGGER);
    int at = from;
    while (at < limit && Ascii.isNamePart(bytes[at])) {
      at++;
    }
    if (at == from || at >= line.end || bytes[at] != ':') {
      return from;
    }
    draft.putName("log.logger", bytes, from, at);
    return at + 1;
  }

  /** A word in capitals may as well begin a sentence, which then stays whole. */
  private int afterBlank(Line line, Draft draft, int from) {
    byte[] bytes = line.bytes;
    if (!Ascii.isUpper(bytes[from - 1]) || !isBlank(bytes[from])) {
      return -1;
    }
    int at = skipBlanks(bytes, from, line.end);
    if (at == line.end) {
      return at;
    }
    if (line.times.read(bytes, at, line.end, line.written)) {
      draft.time = line.times.nanos;
      return head.read(bytes, line.times.end, line.end);
    }
    boolean column = at > from + 1 || bytes[from] == '\t';
    boolean mark = bytes[at] == '[' || bytes[at] == '-' || bytes[at] == '|';
    int body = head.read(bytes, at, line.end);
    return column || (mark && body > at) || draft.has("log.logger") ? body : line.from;
  }
}
