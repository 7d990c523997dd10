/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sessions as plain bytes, so that whoever changes bytes at random changes sessions:
 *
 * <pre>
 *   0 how: bit 0 the server is observed, 1 joined late, 2 inside of TLS, 3 little is captured
 *   1 a call: bit 0 its side, bit 7 none of its bytes are captured │ 2 its size, in two bytes │ its bytes
 *   … the next call
 * </pre>
 */
public final class Fuzzing {
  private static final int SERVER = 1;
  private static final int LATE = 2;
  private static final int TLS = 4;
  private static final int SHORT = 8;
  private static final int GAP = 0x80;
  private static final int LITTLE = 100;
  private static final int MOST_HELD = 1 << 17;
  private static final int MOST_OPEN = 2048;

  /**
   * What came of a session.
   *
   * @param opened how many exchanges were told to begin
   * @param faults what a protocol must not do, whatever the bytes are, and this one did
   */
  public record Played(int opened, List<String> faults) {}

  private Fuzzing() {}

  /**
   * Plays what the bytes say, up to the first fault. What the protocol throws, and what {@link
   * ConversationKit} says of an exchange that is told twice, is thrown.
   */
  public static Played play(Protocol protocol, byte[] input) {
    if (input.length == 0) {
      return new Played(0, List.of());
    }
    List<String> faults = new ArrayList<>();
    int how = input[0];
    ConversationKit kit =
        (how & SERVER) != 0 ? ConversationKit.server(protocol) : ConversationKit.client(protocol);
    if ((how & LATE) != 0) {
      kit.joinedLate();
    }
    if ((how & TLS) != 0) {
      kit.overTls();
    }
    if ((how & SHORT) != 0) {
      kit.capturing(LITTLE);
    }
    for (int at = 1; at + 3 <= input.length && faults.isEmpty(); ) {
      Side side = (input[at] & 1) == 0 ? Side.REQUESTS : Side.RESPONSES;
      boolean gap = (input[at] & GAP) != 0;
      int size = (input[at + 1] & 0xff) << 8 | (input[at + 2] & 0xff);
      at += 3;
      if (gap) {
        kit.gap(side, size);
      } else {
        int end = Math.min(input.length, at + size);
        byte[] bytes = Arrays.copyOfRange(input, at, end);
        at = end;
        protocol.judge(side, kit.inflow(side));
        kit.move(side, bytes);
      }
      if (kit.inflow(side).held() > MOST_HELD) {
        faults.add("holds " + kit.inflow(side).held() + " bytes, at most " + MOST_HELD);
      }
      if (open(kit) > MOST_OPEN) {
        faults.add("holds " + open(kit) + " exchanges, at most " + MOST_OPEN);
      }
    }
    kit.end();
    kit.told();
    if (!kit.isMistaken() && open(kit) != 0) {
      faults.add("has not ended " + open(kit) + " exchanges with the connection");
    }
    return new Played(kit.opened().size(), faults);
  }

  private static int open(ConversationKit kit) {
    return kit.opened().size() - kit.ended().size();
  }

  /** A session as such bytes: something to begin with. */
  public static byte[] input(Session session, boolean server) {
    ByteArrayOutputStream input = new ByteArrayOutputStream();
    input.write(server ? SERVER : 0);
    for (Session.Move move : session.moves()) {
      input.write(move.side() == Side.REQUESTS ? 0 : 1);
      input.write(move.bytes().length >> 8);
      input.write(move.bytes().length);
      input.writeBytes(move.bytes());
    }
    return input.toByteArray();
  }
}
