/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.skipBlanks;
import static dev.sennit.correlation.parse.Ascii.startsWith;

import org.jspecify.annotations.Nullable;

/**
 * A bracket first: {@code [TIME] [PID] [LEVEL]} of gunicorn, the error log of Apache, {@code
 * [LEVEL] message}, {@code [TIME LEVEL]} of Serilog, {@code [thread] LEVEL} of slf4j-simple.
 */
final class BracketLayout implements Layout {
  private static final int LONGEST = 256;

  private final Head head;

  BracketLayout(Head head) {
    this.head = head;
  }

  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    if (bytes[line.from] != '[') {
      return false;
    }
    int close = Ascii.find(bytes, line.from, Math.min(line.end, line.from + LONGEST), ']');
    if (close < 0 || !first(line, draft, line.from + 1, close)) {
      return false;
    }
    int at = skipBlanks(bytes, close + 1, line.end);
    while (at < line.end && bytes[at] == '[') {
      close = Ascii.find(bytes, at, Math.min(line.end, at + LONGEST), ']');
      if (close < 0 || !further(bytes, at + 1, close, draft)) {
        break;
      }
      at = skipBlanks(bytes, close + 1, line.end);
    }
    int body = head.read(bytes, at, line.end);
    Mentions.find(bytes, body, line.end, draft);
    draft.body(bytes, body, line.to);
    return true;
  }

  private static boolean first(Line line, Draft draft, int from, int close) {
    byte[] bytes = line.bytes;
    @Nullable Level level = Level.of(bytes, from, skipBack(bytes, from, close));
    if (level != null) {
      draft.level(level);
      return true;
    }
    if (line.times.read(bytes, from, close, line.written)) {
      draft.time = line.times.nanos;
      int at = skipBlanks(bytes, line.times.end, close);
      draft.level(Level.of(bytes, at, close));
      return at == close || draft.hasLevel();
    }
    int at = skipBlanks(bytes, close + 1, line.end);
    boolean levelFollows = Level.of(bytes, at, Ascii.wordEnd(bytes, at, line.end)) != null;
    if (levelFollows && Ascii.isUpper(bytes[at])) {
      draft.putName("thread.name", bytes, from, close);
      return true;
    }
    return false;
  }

  private static boolean further(byte[] bytes, int from, int close, Draft draft) {
    long number = Ascii.number(bytes, from, close);
    if (number > 0) {
      draft.pid(number);
      return true;
    }
    if (startsWith(bytes, from, close, "pid ")) {
      int end = Ascii.digitsEnd(bytes, from + 4, close);
      draft.pid(Ascii.number(bytes, from + 4, end));
      if (startsWith(bytes, end, close, ":tid ")) {
        draft.tid(Ascii.number(bytes, end + 5, close));
      }
      return true;
    }
    if (startsWith(bytes, from, close, "client ")) {
      draft.putName("client.address", bytes, from + 7, close);
      return true;
    }
    if (draft.hasLevel()) {
      return false;
    }
    int colon = Ascii.find(bytes, from, close, ':');
    draft.level(Level.of(bytes, colon < 0 ? from : colon + 1, close));
    if (draft.hasLevel() && colon > from) {
      draft.putName("log.logger", bytes, from, colon);
    }
    return draft.hasLevel();
  }

  private static int skipBack(byte[] bytes, int from, int to) {
    int at = to;
    while (at > from && Ascii.isBlank(bytes[at - 1])) {
      at--;
    }
    return at;
  }
}
