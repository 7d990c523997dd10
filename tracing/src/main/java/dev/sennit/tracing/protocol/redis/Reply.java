/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.redis;

import dev.sennit.tracing.traffic.Inflow;
import org.jspecify.annotations.Nullable;

/**
 * Reads one answer, however deep it is nested, without keeping anything of it but the prefix of its
 * error. How many values are still to come is enough to know where it ends.
 */
final class Reply {
  /** How far reading has come. */
  enum State {
    /** More bytes are needed. */
    WANTED,
    /** It is over, and so is what was passed over of it. */
    OVER,
    /** These bytes are no answer. */
    MALFORMED
  }

  private static final int LONGEST_LINE = 4096;
  private static final int LONGEST_PREFIX = 32;
  private static final int LONGEST_KIND = 16;
  private static final long MOST_VALUES = 1L << 40;

  private final Inflow in;
  private long left = 1;
  private boolean begun;
  private boolean push;
  private boolean wantsKind;
  private long bytes;
  private String kind = "";
  private String status = "";
  private @Nullable String error;
  private boolean failed;

  Reply(Inflow in) {
    this.in = in;
  }

  State read() {
    while (left > 0) {
      State state = value();
      if (state != State.OVER) {
        return state;
      }
    }
    return in.isSkipping() ? State.WANTED : State.OVER;
  }

  /** Reads one value, or the head of an aggregate. */
  private State value() {
    if (in.size() < 3) {
      return State.WANTED;
    }
    int type = in.get(0);
    int line = in.indexOf('\n', 1);
    if (line < 0) {
      return in.size() > LONGEST_LINE ? State.MALFORMED : State.WANTED;
    }
    if (in.get(line - 1) != '\r') {
      return State.MALFORMED;
    }
    switch (type) {
      case '+' -> {
        if (!begun && line < LONGEST_KIND) {
          status = in.latin1(1, line - 2);
        }
        scalar(line + 1L);
      }
      case '-' -> {
        fail(in.latin1(1, Math.min(line - 2, LONGEST_PREFIX)));
        scalar(line + 1L);
      }
      case ':', '_', '#', ',', '(' -> scalar(line + 1L);
      case '$', '=', '!' -> {
        return bulk(type, line);
      }
      case '*', '~', '%', '>', '|' -> {
        long count = number(line);
        if (count < -1 || count > MOST_VALUES || left > MOST_VALUES) {
          return State.MALFORMED;
        }
        aggregate(type, Math.max(0, count), line + 1);
      }
      default -> {
        return State.MALFORMED;
      }
    }
    return State.OVER;
  }

  private void scalar(long length) {
    begun = true;
    wantsKind = false;
    pass(length);
    left--;
  }

  private State bulk(int type, int line) {
    long length = number(line);
    if (length < -1) {
      return State.MALFORMED;
    }
    int body = line + 1;
    boolean looked = type == '!' || (wantsKind && length < LONGEST_KIND);
    int wanted = (int) Math.min(length, LONGEST_PREFIX);
    if (looked && in.size() < body + wanted && !in.isBroken()) {
      return State.WANTED;
    }
    if (looked && length >= 0) {
      String text = in.latin1(body, Math.min(wanted, in.size() - body));
      if (type == '!') {
        fail(text);
      } else {
        kind = text;
      }
    }
    scalar(length < 0 ? body : body + length + 2);
    return State.OVER;
  }

  private void aggregate(int type, long count, int length) {
    if (!begun) {
      push = type == '>';
      wantsKind = (type == '>' || type == '*') && count > 0;
    } else {
      wantsKind = false;
    }
    pass(length);
    long values = type == '%' || type == '|' ? 2 * count : count;
    if (type == '|') {
      // Attributes precede the value that they are of.
      left += values;
    } else {
      begun = true;
      left += values - 1;
    }
  }

  private void pass(long length) {
    bytes += length;
    in.skip(length);
  }

  private void fail(String text) {
    if (failed) {
      return;
    }
    failed = true;
    int end = 0;
    while (end < text.length() && Character.isUpperCase(text.charAt(end))) {
      end++;
    }
    boolean word = end > 0 && (end == text.length() || text.charAt(end) == ' ');
    error = word ? text.substring(0, end) : null;
  }

  /** The number of a head; less than -1 if it is none. */
  private long number(int line) {
    if (line - 1 > 16 || line - 1 < 2) {
      return -2;
    }
    if (line == 4 && in.get(1) == '-' && in.get(2) == '1') {
      return -1;
    }
    long number = 0;
    for (int i = 1; i < line - 1; i++) {
      int digit = in.get(i) - '0';
      if (digit < 0 || digit > 9) {
        return -2;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  /** Whether it answers nothing: the server sends it by itself. */
  boolean isPush() {
    return push;
  }

  /** The first word of an array or a push. */
  String kind() {
    return kind;
  }

  /** The text of a simple answer, if it is short. */
  String status() {
    return status;
  }

  /** Whether it is an error, or contains one. */
  boolean isFailed() {
    return failed;
  }

  /** The prefix of the error; null if it has none. */
  @Nullable String error() {
    return error;
  }

  long bytes() {
    return bytes;
  }

  boolean isBegun() {
    return bytes > 0;
  }
}
