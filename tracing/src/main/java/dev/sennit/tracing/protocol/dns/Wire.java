/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.dns;

import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;

/**
 * How to tell a message from other bytes: by its head and its question, which must be one. RFC
 * 1035, section 4.1:
 *
 * <pre>
 *   0 id │ 2 QR, opcode (4), AA, TC, RD │ 3 RA, Z, AD, CD, rcode (4)
 *   4 questions │ 6 answers │ 8 authorities │ 10 additional │ 12 the first question
 * </pre>
 *
 * Over TCP the length of each message stands before it, in two bytes.
 */
final class Wire {
  static final int HEAD = 12;
  static final int LENGTH = 2;

  /** A name of no labels, a type and a class. */
  private static final int SHORTEST = HEAD + 5;

  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_LABEL = 63;
  private static final int MOST_RECORDS = 1024;
  private static final int QR = 0x8000;
  private static final int OPCODE = 0x7800;
  private static final int AA_TC_RA_Z_RCODE = 0x06cf;
  private static final int Z = 0x40;

  private Wire() {}

  static Likeness judgeDatagram(Side side, Inflow bytes) {
    int end = bytes.run();
    Likeness likeness = judge(side, bytes, 0, end);
    return likeness == Likeness.TOO_FEW && end > 0 ? Likeness.NO : likeness;
  }

  static Likeness judgeStream(Side side, Inflow bytes) {
    if (bytes.size() < LENGTH) {
      return Likeness.TOO_FEW;
    }
    int length = bytes.getShort(0);
    if (length < SHORTEST) {
      return Likeness.NO;
    }
    return judge(side, bytes, LENGTH, LENGTH + length);
  }

  /**
   * @param end where the message ends, which may be behind what is at hand
   */
  private static Likeness judge(Side side, Inflow bytes, int at, int end) {
    int known = Math.min(end, bytes.size());
    if (known - at < HEAD) {
      return Likeness.TOO_FEW;
    }
    int flags = bytes.getShort(at + 2);
    boolean response = side == Side.RESPONSES;
    int forbidden = OPCODE | (response ? Z : AA_TC_RA_Z_RCODE);
    if (((flags & QR) != 0) != response || (flags & forbidden) != 0) {
      return Likeness.NO;
    }
    int answers = bytes.getShort(at + 6);
    int authorities = bytes.getShort(at + 8);
    int additional = bytes.getShort(at + 10);
    int most = response ? MOST_RECORDS : 0;
    if (bytes.getShort(at + 4) != 1
        || answers > most
        || authorities > most
        || additional > (response ? MOST_RECORDS : 2)) {
      return Likeness.NO;
    }
    return judgeQuestion(bytes, at, known, answers + authorities + additional == 0 ? end : -1);
  }

  /**
   * @param end where the question must end; -1 where something may follow
   */
  private static Likeness judgeQuestion(Inflow bytes, int message, int known, int end) {
    int at = message + HEAD;
    int length;
    do {
      if (at >= known) {
        return Likeness.TOO_FEW;
      }
      length = bytes.get(at);
      at++;
      if (length > LONGEST_LABEL || at + length - message - HEAD > LONGEST_NAME) {
        return Likeness.NO;
      }
      for (int i = 0; i < length && at + i < known; i++) {
        int c = bytes.get(at + i);
        if (c <= ' ' || c >= 0x7f) {
          return Likeness.NO;
        }
      }
      at += length;
    } while (length > 0);
    if (at + 4 > known) {
      return Likeness.TOO_FEW;
    }
    int type = bytes.getShort(at);
    int dnsClass = bytes.getShort(at + 2);
    boolean usual = dnsClass == 1 || dnsClass == 3 || dnsClass == 4 || dnsClass == 255;
    return type != 0 && usual && (end < 0 || end == at + 4) ? Likeness.CLEAR : Likeness.NO;
  }
}
