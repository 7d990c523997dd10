/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.isBlank;
import static dev.sennit.correlation.parse.Ascii.isDigit;
import static dev.sennit.correlation.parse.Ascii.isLetter;
import static dev.sennit.correlation.parse.Ascii.startsWith;

/**
 * The exception that a text ends with, where it is clear: a type, perhaps a message, and frames as
 * the JVM and JavaScript print them, or Python's traceback.
 */
final class StackTraces {
  private static final String PYTHON = "Traceback (most recent call last):";
  private static final String THREAD = "Exception in thread \"";
  private static final int LONGEST_TYPE = 256;

  private StackTraces() {}

  /** Where the stack trace begins, or -1 if there is none; its parts are put into the draft. */
  static int find(byte[] bytes, int from, int to, Draft draft) {
    int head = -1;
    for (int line = from; line < to; line = lineEnd(bytes, line, to) + 1) {
      int end = lineEnd(bytes, line, to);
      if (startsWith(bytes, line, end, PYTHON)) {
        python(bytes, line, to, draft);
        return line;
      }
      if (head < 0) {
        head = head(bytes, line, end);
      } else if (isFrame(bytes, line, end)) {
        put(bytes, head, typeEnd(bytes, head, to), lineEnd(bytes, head, to), draft);
        return head;
      }
    }
    return -1;
  }

  /** The type is on the first line after the frames that is not indented; the last one counts. */
  private static void python(byte[] bytes, int from, int to, Draft draft) {
    boolean frames = false;
    int type = -1;
    for (int line = from; line < to; line = lineEnd(bytes, line, to) + 1) {
      int end = lineEnd(bytes, line, to);
      if (startsWith(bytes, line, end, PYTHON)) {
        frames = true;
      } else if (frames && end > line && !isIndented(bytes, line, end)) {
        frames = false;
        type = typeEnd(bytes, line, end) > 0 ? line : -1;
      }
    }
    if (type >= 0) {
      put(bytes, type, typeEnd(bytes, type, to), lineEnd(bytes, type, to), draft);
    }
  }

  private static void put(byte[] bytes, int from, int typeEnd, int end, Draft draft) {
    if (!draft.has("exception.type")) {
      draft.putName("exception.type", bytes, from, typeEnd);
    }
    int message = typeEnd + 2;
    int to = end > message && bytes[end - 1] == '\r' ? end - 1 : end;
    if (message < to && !draft.has("exception.message")) {
      draft.putText("exception.message", bytes, message, to);
    }
  }

  private static boolean isFrame(byte[] bytes, int line, int end) {
    int at = Ascii.skipBlanks(bytes, line, end);
    return at > line && startsWith(bytes, at, end, "at ");
  }

  private static boolean isIndented(byte[] bytes, int line, int end) {
    return line < end && isBlank(bytes[line]);
  }

  /** Where the type stands on a line that begins a stack trace, or -1. */
  private static int head(byte[] bytes, int line, int end) {
    int at = line;
    if (startsWith(bytes, line, end, THREAD)) {
      int quote = Ascii.find(bytes, line + THREAD.length(), end, '"');
      at = quote < 0 ? end : quote + 2;
    }
    int typeEnd = typeEnd(bytes, at, end);
    return typeEnd > 0 && isExceptionLike(bytes, at, typeEnd) ? at : -1;
  }

  /** Where the name of a type ends that fills the line or is followed by a colon, or -1. */
  private static int typeEnd(byte[] bytes, int from, int to) {
    int limit = Math.min(to, from + LONGEST_TYPE);
    int at = from;
    while (at < limit
        && (isLetter(bytes[at])
            || isDigit(bytes[at])
            || bytes[at] == '.'
            || bytes[at] == '_'
            || bytes[at] == '$')) {
      at++;
    }
    if (at == from || isDigit(bytes[from])) {
      return -1;
    }
    boolean ends = at == to || bytes[at] == '\n' || bytes[at] == '\r';
    boolean colon = at < to && bytes[at] == ':' && (at + 1 == to || bytes[at + 1] <= ' ');
    return ends || colon ? at : -1;
  }

  private static boolean isExceptionLike(byte[] bytes, int from, int to) {
    return Ascii.find(bytes, from, to, '.') > 0
        || startsWith(bytes, to - Math.min(5, to - from), to, "Error")
        || startsWith(bytes, to - Math.min(9, to - from), to, "Exception");
  }

  private static int lineEnd(byte[] bytes, int from, int to) {
    int newline = Ascii.find(bytes, from, to, '\n');
    return newline < 0 ? to : newline;
  }
}
