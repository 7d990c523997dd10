/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.isBlank;

/** {@code time=… level=info msg="…" key=value}, of logrus, slog's text handler and many others. */
final class LogfmtLayout implements Layout {
  private static final int LONGEST_KEY = 128;

  private final Fields fields;
  private final QuotedText quoted = new QuotedText();

  LogfmtLayout(Fields fields) {
    this.fields = fields;
  }

  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    int end = line.end;
    fields.begin(line.written);
    int at = line.from;
    while (at < end) {
      at = pair(bytes, at, end, draft);
      if (at < 0) {
        quoted.shrink();
        return false;
      }
      at = Ascii.skipBlanks(bytes, at, end);
    }
    fields.end();
    quoted.shrink();
    if (!draft.hasLevel() && (draft.time == 0 || !draft.hasBody())) {
      return false;
    }
    if (!draft.hasBody()) {
      draft.body(bytes, line.from, line.to);
    } else if (end < line.to) {
      draft.appendToBody(bytes, end, line.to);
    }
    return true;
  }

  /** Reads {@code key=value}; the result is where it ends, or -1 if it is none. */
  private int pair(byte[] bytes, int from, int end, Draft draft) {
    int equals = keyEnd(bytes, from, end);
    if (equals < 0) {
      return -1;
    }
    Names.Name name = draft.names.of(bytes, from, equals);
    int value = equals + 1;
    if (value < end && bytes[value] == '"') {
      int close = quoted.read(bytes, value + 1, end);
      if (close < 0 || (close < end && !isBlank(bytes[close]))) {
        return -1;
      }
      fields.text(name, quoted.bytes, quoted.from, quoted.to);
      return close;
    }
    int to = Ascii.wordEnd(bytes, value, end);
    fields.text(name, bytes, value, to);
    return to;
  }

  /** Where the equals sign is of a key that begins here, or -1. */
  static int keyEnd(byte[] bytes, int from, int end) {
    int limit = Math.min(end, from + LONGEST_KEY);
    int at = from;
    while (at < limit && (Ascii.isNamePart(bytes[at]) || bytes[at] == '/')) {
      at++;
    }
    return at > from && at < limit && bytes[at] == '=' ? at : -1;
  }
}
