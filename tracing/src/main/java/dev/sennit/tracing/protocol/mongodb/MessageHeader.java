/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mongodb;

import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;

/**
 * The begin of every message, the least significant bytes first.
 *
 * <pre>
 *   length(4, itself included) requestID(4) responseTo(4) opCode(4)
 * </pre>
 */
record MessageHeader(int length, int requestId, int responseTo, int opCode) {
  static final int SIZE = 16;

  /** With so many bytes hardly anything else looks alike. */
  static final int TELLING = SIZE + 9;

  static final int OP_REPLY = 1;
  static final int OP_QUERY = 2004;
  static final int OP_COMPRESSED = 2012;
  static final int OP_MSG = 2013;

  /** What servers take and send at most. */
  private static final int LONGEST = 48_000_000;

  /** The flags of OP_MSG that there are: checksumPresent, moreToCome, exhaustAllowed. */
  private static final int FLAGS = 0x1_0003;

  static MessageHeader of(Inflow in) {
    return new MessageHeader(
        in.getIntLittle(0), in.getIntLittle(4), in.getIntLittle(8), in.getIntLittle(12));
  }

  /** Whether a message can begin so, of which not even the header is at hand. */
  static boolean canBeginShort(Inflow in) {
    return in.size() < 4 || (in.getIntLittle(0) > SIZE && in.getIntLittle(0) <= LONGEST);
  }

  /** Whether a message of this side can begin so, as far as it is at hand. */
  boolean canBegin(Side side, Inflow in) {
    if (length < SIZE + 5 || length > LONGEST || (side == Side.REQUESTS && responseTo != 0)) {
      return false;
    }
    return switch (opCode) {
      case OP_MSG -> canBeMessage(in);
      case OP_COMPRESSED -> canBeCompressed(in);
      case OP_QUERY -> side == Side.REQUESTS && canBeQuery(in);
      case OP_REPLY -> side == Side.RESPONSES && canBeReply(in);
      // Older requests that nobody answers.
      case 2001, 2002, 2005, 2006, 2007 -> side == Side.REQUESTS;
      default -> false;
    };
  }

  private boolean canBeMessage(Inflow in) {
    boolean flags = in.size() < SIZE + 4 || (in.getIntLittle(SIZE) & ~FLAGS) == 0;
    if (!flags || in.size() < TELLING) {
      return flags;
    }
    int inner = in.getIntLittle(SIZE + 5);
    return in.get(SIZE + 4) <= 1 && inner >= 5 && inner <= length - SIZE - 5;
  }

  /** Flags, a cursor, where the documents start, how many there are, and the first of them. */
  private boolean canBeReply(Inflow in) {
    int document = SIZE + 20;
    boolean flags = in.size() < SIZE + 4 || in.getIntLittle(SIZE) >>> 4 == 0;
    return flags
        && length > document
        && (in.size() < document + 4 || in.getIntLittle(document) <= length - document);
  }

  private static boolean canBeCompressed(Inflow in) {
    if (in.size() < SIZE + 9) {
      return true;
    }
    int original = in.getIntLittle(SIZE);
    return original > 0 && original <= OP_MSG && in.get(SIZE + 8) <= 3;
  }

  private static boolean canBeQuery(Inflow in) {
    int from = SIZE + 4;
    int end = Math.min(in.size(), from + 128);
    for (int i = from; i < end; i++) {
      if (in.get(i) == 0) {
        return i > from;
      }
      if (in.get(i) < ' ') {
        return false;
      }
    }
    return true;
  }
}
