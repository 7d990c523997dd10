/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import dev.sennit.context.thread.ContextSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** A line {@code traceparent: 00-TRACE-SPAN-FLAGS}, as W3C Trace Context has it. */
final class TraceparentLine {
  /** With the line's end. */
  static final int SIZE = 70;

  private static final byte[] START = {
    't', 'r', 'a', 'c', 'e', 'p', 'a', 'r', 'e', 'n', 't', ':', ' ', '0', '0', '-'
  };

  private static final int VALUE_START = 13;

  private TraceparentLine() {}

  /** What would stand behind the name of one with a span id that is new. */
  static String value(ContextSnapshot context) {
    byte[] line = new byte[SIZE];
    int end = write(context, line, 0);
    return new String(line, VALUE_START, end - 2 - VALUE_START, StandardCharsets.US_ASCII);
  }

  /** Writes one with a span id that is new, and answers where it ends. */
  static int write(ContextSnapshot context, byte[] target, int at) {
    System.arraycopy(START, 0, target, at, START.length);
    int next = hex(context.traceIdHigh(), 16, target, at + START.length);
    next = hex(context.traceIdLow(), 16, target, next);
    target[next] = '-';
    next = hex(newSpanId(), 16, target, next + 1);
    target[next] = '-';
    next = hex(context.flags() & 0xff, 2, target, next + 1);
    target[next] = '\r';
    target[next + 1] = '\n';
    return next + 2;
  }

  private static long newSpanId() {
    long id;
    do {
      id = ThreadLocalRandom.current().nextLong();
    } while (id == 0);
    return id;
  }

  private static int hex(long value, int digits, byte[] target, int at) {
    for (int i = 0; i < digits; i++) {
      target[at + i] = (byte) Character.forDigit((int) (value >>> (4 * (digits - 1 - i))) & 15, 16);
    }
    return at + digits;
  }
}
