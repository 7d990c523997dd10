/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mysql;

import dev.sennit.tracing.traffic.Inflow;

/**
 * The packet at the begin of what is at hand.
 *
 * <pre>
 *   length(3, without the header) sequence(1) payload
 * </pre>
 *
 * A payload of the greatest length goes on in the next packet.
 *
 * @param length of the payload
 * @param at how many bytes of the payload are at hand and may be looked at
 */
record Packet(Inflow in, int length, int sequence, int at) {
  static final int HEADER = 4;
  static final int LONGEST = 0xffffff;

  static Packet of(Inflow in, int mostLookedAt) {
    int length = in.getMediumLittle(0);
    int at = Math.min(Math.min(length, mostLookedAt), in.size() - HEADER);
    return new Packet(in, length, in.get(3), at);
  }

  int total() {
    return HEADER + length;
  }

  /** A byte of the payload; -1 if it is not at hand. */
  int get(int index) {
    return index < at ? in.get(HEADER + index) : -1;
  }

  /** Two bytes, the least significant first; -1 if they are not at hand. */
  int getShort(int index) {
    return index + 1 < at ? get(index) | get(index + 1) << 8 : -1;
  }

  /** Four bytes, the least significant first; -1 if they are not at hand. */
  int getInt(int index) {
    return index + 3 < at ? in.getIntLittle(HEADER + index) : -1;
  }

  /** How long a number is that says its length itself. */
  int numberLength(int index) {
    return switch (get(index)) {
      case 0xfc -> 3;
      case 0xfd -> 4;
      case 0xfe -> 9;
      default -> 1;
    };
  }

  /** Such a number, as far as it is a small one. */
  int number(int index) {
    int first = get(index);
    return switch (first) {
      case 0xfc -> getShort(index + 1);
      case 0xfd -> index + 3 < at ? in.getMediumLittle(HEADER + index + 1) : -1;
      case 0xfe -> -1;
      default -> first;
    };
  }

  /** Text up to a zero, or to the end of what is at hand. */
  String text(int index) {
    int from = Math.min(index, at);
    int zero = in.indexOf(0, HEADER + from);
    int end = zero < 0 ? at : Math.min(zero - HEADER, at);
    return in.utf8(HEADER + from, end - from);
  }

  boolean isOk() {
    return get(0) == 0;
  }

  boolean isError() {
    return get(0) == 0xff;
  }

  /** EOF, or the OK that stands in its place: no row of less than 16 MiB begins so. */
  boolean isEnd() {
    return get(0) == 0xfe && length < LONGEST;
  }

  /** EOF as it was before OK took its place. */
  boolean isOldEnd() {
    return get(0) == 0xfe && length == 5;
  }

  /** The status of an OK or an EOF; 0 if it is not at hand. */
  int status() {
    int index;
    if (isOldEnd()) {
      index = 3;
    } else {
      int second = 1 + numberLength(1);
      index = second + numberLength(second);
    }
    return Math.max(0, getShort(index));
  }
}
