/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.postgres;

import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;

/**
 * The frames of the protocol, and which bytes can be one.
 *
 * <pre>
 *   a message:            type(1) length(4, itself included) body
 *   the first of a client:        length(4, itself included) code(4) body
 * </pre>
 */
final class MessageFormat {
  static final int HEADER = 5;
  static final int PROTOCOL_3 = 3;
  static final int SSL_REQUEST = 80877103;
  static final int GSS_REQUEST = 80877104;
  static final int CANCEL_REQUEST = 80877102;

  /** The server takes no longer ones. */
  static final int LONGEST_STARTUP = 10000;

  private static final int LONGEST = 0x3fffffff;
  private static final String REQUESTS = "QPBDESCHFdcfpX";
  private static final String RESPONSES = "RKSZTDCEN123nstIGHWdcAVv";

  private MessageFormat() {}

  /** How long a message is in all. */
  static long total(Inflow in, int at) {
    return in.getInt(at + 1) + 1L;
  }

  /** Whether a message of this side can begin here; its header is at hand. */
  static boolean canBegin(Side side, Inflow in, int at) {
    int type = in.get(at);
    int length = in.getInt(at + 1);
    if (length < 4 || length > LONGEST) {
      return false;
    }
    return side == Side.REQUESTS
        ? REQUESTS.indexOf(type) >= 0 && canBeRequest(in, at, type, length)
        : RESPONSES.indexOf(type) >= 0 && canBeResponse(in, at, type, length);
  }

  private static boolean canBeRequest(Inflow in, int at, int type, int length) {
    return switch (type) {
      case 'S', 'H', 'X', 'c' -> length == 4;
      case 'D', 'C' ->
          length >= 6 && isOneOf("SP", in, at + HEADER) && endsWithZero(in, at, length);
      case 'E' -> length >= 9 && isExecute(in, at, length);
      case 'Q' -> length >= 5 && endsWithZero(in, at, length) && isText(in, at + HEADER);
      case 'P' -> length >= 8 && isText(in, at + HEADER);
      case 'B' -> length >= 12 && isText(in, at + HEADER);
      case 'F' -> length >= 14;
      default -> true;
    };
  }

  private static boolean canBeResponse(Inflow in, int at, int type, int length) {
    return switch (type) {
      case 'Z' -> length == 5 && isOneOf("ITE", in, at + HEADER);
      case '1', '2', '3', 'n', 's', 'I', 'c' -> length == 4;
      case 'R' -> length >= 8 && hasAt(in, at + HEADER, 0) && hasAt(in, at + HEADER + 1, 0);
      case 'K' -> length >= 12 && length <= 268;
      case 'E', 'N' -> length >= 7 && isOneOf("SVCMDHPpqWstcdnFLR", in, at + HEADER);
      case 'S' -> length >= 6 && endsWithZero(in, at, length) && isText(in, at + HEADER);
      case 'C' -> length >= 5 && length < 256 && isText(in, at + HEADER);
      case 'T', 'D' -> length >= 6 && fields(in, at, length);
      case 'A' -> length >= 10;
      case 'G', 'H', 'W' -> length >= 7 && isOneOf("\0\1", in, at + HEADER);
      default -> true;
    };
  }

  /** A name and a number, and nothing else. */
  private static boolean isExecute(Inflow in, int at, int length) {
    int zero = in.indexOf(0, at + HEADER);
    return zero < 0 || zero - at == length - 4;
  }

  /** A row has four bytes for each field at least, a description of rows more. */
  private static boolean fields(Inflow in, int at, int length) {
    return in.size() < at + HEADER + 2 || in.getShort(at + HEADER) * 4L <= length - 6;
  }

  private static boolean isOneOf(String allowed, Inflow in, int at) {
    return in.size() <= at || allowed.indexOf(in.get(at)) >= 0;
  }

  private static boolean hasAt(Inflow in, int at, int value) {
    return in.size() <= at || in.get(at) == value;
  }

  /** Whether what is at hand here begins with text, or is an empty one. */
  private static boolean isText(Inflow in, int at) {
    if (in.size() <= at) {
      return true;
    }
    int c = in.get(at);
    return c == 0 || c == '\t' || c == '\n' || c == '\r' || c >= ' ';
  }

  private static boolean endsWithZero(Inflow in, int at, int length) {
    return in.size() <= (long) at + length || in.get(at + length) == 0;
  }

  static Likeness judge(Side side, Inflow in) {
    if (side == Side.REQUESTS && in.size() > 0 && in.get(0) == 0) {
      return judgeStartup(in);
    }
    int at = 0;
    int messages = 0;
    while (in.size() - at >= HEADER) {
      // Longer ones are allowed, and are hardly the first.
      if (!canBegin(side, in, at) || (messages == 0 && in.get(at + 1) != 0)) {
        return Likeness.NO;
      }
      messages++;
      long next = at + total(in, at);
      if (isTelling(side, in, at, messages) && next <= in.size()) {
        return Likeness.CLEAR;
      }
      if (next > in.size()) {
        return Likeness.PERHAPS;
      }
      at = (int) next;
    }
    if (at > 0) {
      return Likeness.PERHAPS;
    }
    String types = side == Side.REQUESTS ? REQUESTS : RESPONSES;
    return types.indexOf(in.get(0)) >= 0 && (in.size() < 2 || in.get(1) == 0)
        ? Likeness.TOO_FEW
        : Likeness.NO;
  }

  private static Likeness judgeStartup(Inflow in) {
    if (in.size() < 8) {
      return in.size() < 2 || in.get(1) == 0 ? Likeness.TOO_FEW : Likeness.NO;
    }
    int length = in.getInt(0);
    int code = in.getInt(4);
    boolean known =
        switch (code) {
          case SSL_REQUEST, GSS_REQUEST -> length == 8;
          case CANCEL_REQUEST -> length >= 16 && length <= 268;
          default -> code >>> 16 == PROTOCOL_3 && length > 8 && length <= LONGEST_STARTUP;
        };
    boolean named = code >>> 16 != PROTOCOL_3 || in.size() == 8 || Character.isLetter(in.get(8));
    return known && named ? Likeness.CLEAR : Likeness.NO;
  }

  /** Whether hardly anything else looks like this message, of which the header is at hand. */
  private static boolean isTelling(Side side, Inflow in, int at, int messages) {
    int type = in.get(at);
    if (side == Side.REQUESTS) {
      return type == 'Q' || type == 'P' || (type == 'S' && messages > 1);
    }
    return switch (type) {
      case 'Z' -> true;
      case 'R' -> messages == 1 && in.size() >= at + 9 && in.getInt(at + HEADER) <= 12;
      case 'E', 'N' -> in.size() > at + HEADER && in.get(at + HEADER) == 'S';
      case '1', '2', 'T' -> messages > 1;
      default -> false;
    };
  }
}
