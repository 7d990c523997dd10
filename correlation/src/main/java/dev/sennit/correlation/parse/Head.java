/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.isBlank;
import static dev.sennit.correlation.parse.Ascii.isDigit;
import static dev.sennit.correlation.parse.Ascii.isLetter;
import static dev.sennit.correlation.parse.Ascii.skipBlanks;
import static dev.sennit.correlation.parse.Ascii.wordEnd;

import dev.sennit.otlp.AttributeValue;
import org.jspecify.annotations.Nullable;

/**
 * Reads what stands between the time of a text line and its message, in whatever order a pattern
 * has it: level, thread, logger, ids, place in the code.
 */
final class Head {
  private static final int LONGEST_BRACKET = 256;
  private static final int LONGEST_LOGGER = 160;

  private byte[] bytes = {};
  private int end;
  private int at;
  private Draft draft;
  private boolean spring;
  private boolean threadKnown;
  private boolean loggerKnown;

  Head(Draft draft) {
    this.draft = draft;
  }

  /** Reads from this place on; the result is where the message begins. */
  int read(byte[] text, int from, int limit) {
    bytes = text;
    at = from;
    end = limit;
    spring = false;
    threadKnown = draft.has("thread.name");
    loggerKnown = false;
    while (part()) {
      at = skipBlanks(bytes, at, end);
    }
    return at;
  }

  /** Reads one part. False if what stands here is the message, or ends the head. */
  private boolean part() {
    at = skipBlanks(bytes, at, end);
    if (at >= end) {
      return false;
    }
    return switch (bytes[at]) {
      case '[' -> bracket();
      case '(' -> parenthesis();
      case '-' -> dash();
      case '|' -> separator(1);
      case ':' -> {
        if (isEndOrBlank(at + 1) && draft.hasLevel()) {
          endAfter(1);
        }
        yield false;
      }
      default -> word();
    };
  }

  private boolean isEndOrBlank(int place) {
    return place >= end || isBlank(bytes[place]);
  }

  /** The message begins after so many bytes and one blank. */
  private void endAfter(int length) {
    at = Math.min(end, at + length + 1);
  }

  private boolean dash() {
    if (Ascii.startsWith(bytes, at, end, "---") && isEndOrBlank(at + 3)) {
      spring = true;
      at += 3;
      return true;
    }
    return separator(dashes(at));
  }

  /** How many there are here, of which one or two separate. */
  private int dashes(int from) {
    return from + 1 < end && bytes[from + 1] == '-' ? 2 : 1;
  }

  private boolean separator(int length) {
    if (!isEndOrBlank(at + length)) {
      return false;
    }
    boolean columns = bytes[at] == '|';
    if (!draft.hasLevel() || (columns && !loggerKnown)) {
      at += length;
      return true;
    }
    endAfter(length);
    return false;
  }

  private boolean bracket() {
    int close = Ascii.find(bytes, at, Math.min(end, at + LONGEST_BRACKET), ']');
    if (close < 0) {
      return false;
    }
    int from = skipBlanks(bytes, at + 1, close);
    int to = close;
    while (to > from && isBlank(bytes[to - 1])) {
      to--;
    }
    if (!inBracket(from, to)) {
      return false;
    }
    at = close + 1;
    if (at < end && bytes[at] == ':' && isEndOrBlank(at + 1)) {
      at++;
    }
    return true;
  }

  private boolean inBracket(int from, int to) {
    if (from == to || draft.ids.joined(bytes, from, to) || sleuth(from, to)) {
      return true;
    }
    if (!draft.hasLevel()) {
      @Nullable Level level = Level.of(bytes, from, to);
      if (level != null) {
        draft.level(level);
        return true;
      }
    }
    if (Ascii.find(bytes, from, to, '=') >= 0) {
      Mentions.find(bytes, from, to, draft);
      return !draft.ids.isEmpty() || draft.pid != 0 || draft.tid != 0;
    }
    if (!loggerKnown && isClassName(from, to)) {
      logger(from, to);
      return true;
    }
    if (threadKnown) {
      if (!spring) {
        return false;
      }
      draft.rename("thread.name", "service.name");
    }
    draft.putName("thread.name", bytes, from, to);
    threadKnown = true;
    return true;
  }

  /** {@code app,trace,span} and what else Sleuth wrote after it; the ids may be missing. */
  private boolean sleuth(int from, int to) {
    int first = Ascii.find(bytes, from, to, ',');
    int second = first < 0 ? -1 : Ascii.find(bytes, first + 1, to, ',');
    if (second < 0) {
      return false;
    }
    int third = Ascii.find(bytes, second + 1, to, ',');
    int last = third < 0 ? to : third;
    boolean none = second == first + 1 && last == second + 1;
    boolean found =
        draft.ids.trace(bytes, first + 1, second) && draft.ids.span(bytes, second + 1, last);
    if ((none || found) && first > from) {
      draft.putName("service.name", bytes, from, first);
    }
    return none || found;
  }

  /** {@code (thread)} as WildFly has it, after the logger. */
  private boolean parenthesis() {
    int close = Ascii.find(bytes, at, Math.min(end, at + LONGEST_BRACKET), ')');
    if (close < 0 || threadKnown || !loggerKnown) {
      return false;
    }
    draft.putName("thread.name", bytes, at + 1, close);
    threadKnown = true;
    at = close + 1;
    return true;
  }

  private boolean word() {
    int wordEnd = wordEnd(bytes, at, end);
    boolean colon = bytes[wordEnd - 1] == ':';
    int bare = colon ? wordEnd - 1 : wordEnd;
    if (!draft.hasLevel()) {
      @Nullable Level level = Level.of(bytes, at, bare);
      if (level != null) {
        draft.level(level);
        at = colon ? skipBlanks(bytes, wordEnd, end) : wordEnd;
        return !colon;
      }
    }
    if (isDigit(bytes[at])) {
      return springPid(wordEnd);
    }
    return place(wordEnd, bare) || nameOfLogger(wordEnd, bare, colon);
  }

  private boolean springPid(int wordEnd) {
    long number = Ascii.number(bytes, at, wordEnd);
    int next = skipBlanks(bytes, wordEnd, end);
    if (number < 0 || !Ascii.startsWith(bytes, next, end, "---")) {
      return false;
    }
    draft.pid(number);
    at = wordEnd;
    return true;
  }

  /** {@code main.go:23:} of Go's log, {@code app/main.go:23} of zap. */
  private boolean place(int wordEnd, int bare) {
    int digits = bare;
    while (digits > at && isDigit(bytes[digits - 1])) {
      digits--;
    }
    if (digits == bare || digits - 4 <= at || !Ascii.startsWith(bytes, digits - 4, end, ".go:")) {
      return false;
    }
    draft.putName("code.file.path", bytes, at, digits - 1);
    draft.put("code.line.number", AttributeValue.of(Ascii.number(bytes, digits, bare)));
    at = wordEnd;
    return true;
  }

  /** A word is the logger if what follows proves it, for any word can begin a message. */
  private boolean nameOfLogger(int wordEnd, int bare, boolean colon) {
    if (loggerKnown || bare - at > LONGEST_LOGGER || !isLoggerLike(at, bare)) {
      return false;
    }
    if (colon) {
      if (!draft.hasLevel() || !isClassName(at, bare)) {
        return false;
      }
      logger(at, bare);
      at = skipBlanks(bytes, wordEnd, end);
      return false;
    }
    int next = skipBlanks(bytes, wordEnd, end);
    int after = next + (next < end && bytes[next] == '-' ? dashes(next) : 1);
    boolean separated =
        after < end
            && next > wordEnd
            && isBlank(bytes[after])
            && (bytes[next] == '-' || bytes[next] == ':' || bytes[next] == '|');
    boolean column = wordEnd < end && bytes[wordEnd] == '\t';
    boolean proven = draft.hasLevel() ? separated || column : separated && levelFollows(after);
    if (proven) {
      logger(at, bare);
      at = wordEnd;
    }
    return proven;
  }

  private boolean levelFollows(int from) {
    int begin = skipBlanks(bytes, from, end);
    return Level.of(bytes, begin, wordEnd(bytes, begin, end)) != null;
  }

  private void logger(int from, int to) {
    draft.putName("log.logger", bytes, from, to);
    loggerKnown = true;
  }

  private boolean isLoggerLike(int from, int to) {
    for (int i = from; i < to; i++) {
      int c = bytes[i];
      if (!Ascii.isNamePart(c) && c != ':' && c != '/' && c != '<' && c != '>') {
        return false;
      }
    }
    return to > from && (isLetter(bytes[from]) || bytes[from] == '_' || bytes[from] == '/');
  }

  /** Words with dots between them, the first one of small letters: {@code org.example.Orders}. */
  private boolean isClassName(int from, int to) {
    boolean dot = false;
    for (int i = from; i < to; i++) {
      int c = bytes[i];
      if (c == '.') {
        dot = true;
      } else if (!isLetter(c) && !isDigit(c) && c != '_' && c != '$') {
        return false;
      } else if (!dot && Ascii.isUpper(c)) {
        return false;
      }
    }
    return dot && isLetter(bytes[from]) && bytes[to - 1] != '.';
  }
}
