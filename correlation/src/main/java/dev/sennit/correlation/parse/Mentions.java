/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.isDigit;
import static dev.sennit.correlation.parse.Ascii.isLetter;

/**
 * Ids in the middle of a text: {@code pid=123}, {@code TID 456}, {@code trace_id=… span_id=…}. The
 * text stays as it is.
 */
final class Mentions {
  /** Whoever prints ids prints them near the beginning. */
  private static final int FARTHEST = 4096;

  private static final int LONGEST_KEY = 12;

  private Mentions() {}

  static void find(byte[] bytes, int from, int limit, Draft draft) {
    int to = Math.min(limit, from + FARTHEST);
    for (int i = from + 3; i < to - 1; i++) {
      byte c = bytes[i];
      if (c == '=') {
        assigned(bytes, from, i, to, draft);
      } else if (c == ' ' && bytes[i - 1] == 'D' && bytes[i - 2] == 'I') {
        spoken(bytes, from, i, to, draft);
      }
    }
  }

  private static void assigned(byte[] bytes, int from, int equals, int to, Draft draft) {
    int key = equals;
    while (key > from && equals - key <= LONGEST_KEY && Ascii.isNamePart(bytes[key - 1])) {
      key--;
    }
    int begin = equals + 1;
    if (begin < to && (bytes[begin] == '"' || bytes[begin] == '\'')) {
      begin++;
    }
    int end = begin;
    while (end < to && Ascii.isNamePart(bytes[end])) {
      end++;
    }
    switch (equals - key) {
      case 3 -> {
        if (is(bytes, key, "pid")) {
          draft.pid(Ascii.number(bytes, begin, end));
        } else if (is(bytes, key, "tid")) {
          draft.tid(Ascii.number(bytes, begin, end));
        }
      }
      case 6 -> {
        if (is(bytes, key, "thread")) {
          draft.tid(Ascii.number(bytes, begin, end));
        } else if (is(bytes, key, "spanid")) {
          draft.ids.span(bytes, begin, end);
        }
      }
      case 7 -> {
        if (is(bytes, key, "process")) {
          draft.pid(Ascii.number(bytes, begin, end));
        } else if (is(bytes, key, "traceid")) {
          draft.ids.trace(bytes, begin, end);
        } else if (is(bytes, key, "span_id") || is(bytes, key, "span.id")) {
          draft.ids.span(bytes, begin, end);
        }
      }
      case 8 -> {
        if (is(bytes, key, "trace_id") || is(bytes, key, "trace.id")) {
          draft.ids.trace(bytes, begin, end);
        }
      }
      case 9 -> {
        if (is(bytes, key, "thread_id")) {
          draft.tid(Ascii.number(bytes, begin, end));
        }
      }
      case 11 -> {
        if (is(bytes, key, "trace_flags")) {
          draft.ids.flags(bytes, begin, end);
        } else if (is(bytes, key, "traceparent")) {
          draft.ids.traceparent(bytes, begin, end);
        }
      }
      default -> {}
    }
  }

  private static void spoken(byte[] bytes, int from, int blank, int to, Draft draft) {
    int letter = blank - 3;
    int end = Ascii.digitsEnd(bytes, blank + 1, to);
    if (letter < from
        || (letter > from && isLetter(bytes[letter - 1]))
        || (end < to && (isLetter(bytes[end]) || isDigit(bytes[end])))) {
      return;
    }
    if (bytes[letter] == 'P') {
      draft.pid(Ascii.number(bytes, blank + 1, end));
    } else if (bytes[letter] == 'T') {
      draft.tid(Ascii.number(bytes, blank + 1, end));
    }
  }

  private static boolean is(byte[] bytes, int at, String lower) {
    for (int i = 0; i < lower.length(); i++) {
      int c = bytes[at + i];
      if ((Ascii.isUpper(c) ? c | 0x20 : c) != lower.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
