/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mysql;

import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.sql.Sql;
import dev.sennit.tracing.protocol.sql.SqlDialect;
import dev.sennit.tracing.traffic.Inflow;

/** Whether bytes are of this protocol. */
final class PacketLikeness {
  private static final int LOOKED_AT = 64;
  private static final int PROTOCOL_41 = 0x200;
  private static final int HANDSHAKE = 32;

  private PacketLikeness() {}

  static Likeness ofRequest(Inflow in) {
    Packet packet = Packet.of(in, LOOKED_AT);
    int length = packet.length();
    if (packet.sequence() == 1 || packet.sequence() == 2) {
      return ofHandshake(packet);
    }
    if (packet.sequence() != 0 || length == 0) {
      return Likeness.NO;
    }
    int command = packet.get(0);
    return switch (command) {
      case Commands.QUERY, Commands.STMT_PREPARE -> ofQuery(packet);
      case Commands.QUIT, Commands.PING, Commands.STATISTICS, Commands.RESET_CONNECTION ->
          perhaps(length == 1 && in.size() == packet.total());
      case Commands.INIT_DB -> perhaps(length > 1 && isText(packet));
      case Commands.STMT_CLOSE, Commands.STMT_RESET -> perhaps(length == 5 && isSmall(packet));
      case Commands.STMT_EXECUTE ->
          perhaps(length >= 10 && isSmall(packet) && packet.getInt(6) == 1);
      case Commands.STMT_BULK_EXECUTE, Commands.STMT_FETCH ->
          perhaps(length >= 7 && isSmall(packet));
      default -> Likeness.NO;
    };
  }

  private static Likeness perhaps(boolean could) {
    return could ? Likeness.PERHAPS : Likeness.NO;
  }

  /** Ids of statements are counted from 1. */
  private static boolean isSmall(Packet packet) {
    int id = packet.getInt(1);
    return id == -1 || (id > 0 && id < 1 << 24);
  }

  private static boolean isText(Packet packet) {
    for (int i = 1; i < packet.at(); i++) {
      if (packet.get(i) < ' ' && "\t\r\n".indexOf(packet.get(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  private static Likeness ofQuery(Packet packet) {
    int from = Commands.queryBegin(packet);
    if (packet.length() < from + 2) {
      return Likeness.NO;
    }
    String text = packet.text(from);
    boolean whole = packet.at() == Math.min(packet.length(), LOOKED_AT);
    if (text.length() < Math.min(8, packet.at() - from)) {
      return Likeness.NO;
    }
    if (Sql.read(text, SqlDialect.MYSQL, true).summary() != null) {
      return Likeness.CLEAR;
    }
    if (!whole) {
      return Likeness.TOO_FEW;
    }
    return perhaps(text.chars().allMatch(c -> c >= ' ' || "\t\r\n".indexOf(c) >= 0));
  }

  /** A client's capabilities, the greatest packet, the character set and reserved bytes. */
  private static Likeness ofHandshake(Packet packet) {
    if (packet.length() < HANDSHAKE || packet.length() > Packet.LONGEST / 256) {
      return Likeness.NO;
    }
    if (packet.at() < HANDSHAKE) {
      return Likeness.TOO_FEW;
    }
    boolean reserved = (packet.getInt(0) & PROTOCOL_41) != 0;
    for (int i = 9; i < HANDSHAKE - 4; i++) {
      reserved &= packet.get(i) == 0;
    }
    return reserved ? Likeness.CLEAR : Likeness.NO;
  }

  static Likeness ofResponse(Inflow in) {
    Packet packet = Packet.of(in, LOOKED_AT);
    int first = packet.get(0);
    if (packet.sequence() == 0) {
      return first == 10 ? ofGreeting(packet) : Likeness.NO;
    }
    if (packet.sequence() > 3 || packet.length() == 0) {
      return Likeness.NO;
    }
    if (packet.isError()) {
      return packet.length() > 8 && packet.get(3) == '#' ? Likeness.CLEAR : Likeness.NO;
    }
    if (packet.isOk()) {
      return perhaps(packet.length() >= 7 && packet.length() < 1024 && packet.status() < 1 << 15);
    }
    if (packet.sequence() == 1 && packet.length() < 5 && packet.number(0) > 0) {
      return ofColumns(in, packet);
    }
    return Likeness.NO;
  }

  /** Behind the number of columns comes the first one, whose catalog is {@code def}. */
  private static Likeness ofColumns(Inflow in, Packet count) {
    int next = count.total();
    if (in.size() < next + Packet.HEADER + 4) {
      return Likeness.TOO_FEW;
    }
    boolean def =
        in.get(next + 3) == 2 && in.get(next + 4) == 3 && in.latin1(next + 5, 3).equals("def");
    return def ? Likeness.CLEAR : Likeness.NO;
  }

  /** The version of the server: digits and dots to begin with, and a zero at the end. */
  private static Likeness ofGreeting(Packet packet) {
    if (packet.length() < 20 || packet.length() > 1024) {
      return Likeness.NO;
    }
    int second = packet.get(1);
    if (second >= 0 && (second < '0' || second > '9')) {
      return Likeness.NO;
    }
    String version = packet.text(1);
    if (!version.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      return Likeness.NO;
    }
    return version.length() > 2 && version.indexOf('.') > 0 ? Likeness.CLEAR : Likeness.TOO_FEW;
  }
}
