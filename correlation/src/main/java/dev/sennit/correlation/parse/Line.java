/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

/** The record that is being understood, and the time that it begins with, which is read once. */
final class Line {
  private static final byte[] NOTHING = {};

  byte[] bytes = NOTHING;
  int from;

  /** Where the first line ends. */
  int end;

  /** Where the last line ends. */
  int to;

  long written;
  final Times times;

  /** Whether it begins with a time. */
  boolean timed;

  long time;
  int timeEnd;

  Line(Times times) {
    this.times = times;
  }

  void set(byte[] text, int begin, int limit, long writtenAt) {
    bytes = text;
    from = begin;
    to = limit;
    written = writtenAt;
    int newline = Ascii.find(text, begin, limit, '\n');
    end = newline < 0 ? limit : newline;
    if (end > begin && text[end - 1] == '\r') {
      end--;
    }
    timed = times.read(text, begin, end, writtenAt);
    time = times.nanos;
    timeEnd = times.end;
  }

  /** Lets go of the bytes, which may be many. */
  void clear() {
    bytes = NOTHING;
  }
}
