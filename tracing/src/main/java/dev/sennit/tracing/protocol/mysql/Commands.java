/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mysql;

import org.jspecify.annotations.Nullable;

/** The commands of clients: the first byte of a packet with sequence number 0. */
final class Commands {
  static final int QUIT = 0x01;
  static final int INIT_DB = 0x02;
  static final int QUERY = 0x03;
  static final int FIELD_LIST = 0x04;
  static final int STATISTICS = 0x09;
  static final int PING = 0x0e;
  static final int CHANGE_USER = 0x11;
  static final int BINLOG_DUMP = 0x12;
  static final int STMT_PREPARE = 0x16;
  static final int STMT_EXECUTE = 0x17;
  static final int STMT_SEND_LONG_DATA = 0x18;
  static final int STMT_CLOSE = 0x19;
  static final int STMT_RESET = 0x1a;
  static final int STMT_FETCH = 0x1c;
  static final int BINLOG_DUMP_GTID = 0x1e;
  static final int RESET_CONNECTION = 0x1f;
  static final int STMT_BULK_EXECUTE = 0xfa;

  private Commands() {}

  /** What to call a command that has no text; null if there is no such command. */
  static @Nullable String name(int command) {
    return switch (command) {
      case INIT_DB -> "INIT_DB";
      case FIELD_LIST -> "FIELD_LIST";
      case 0x05 -> "CREATE_DB";
      case 0x06 -> "DROP_DB";
      case 0x07 -> "REFRESH";
      case 0x08 -> "SHUTDOWN";
      case STATISTICS -> "STATISTICS";
      case 0x0a -> "PROCESS_INFO";
      case 0x0c -> "PROCESS_KILL";
      case 0x0d -> "DEBUG";
      case PING -> "PING";
      case CHANGE_USER -> "CHANGE_USER";
      case STMT_RESET -> "STMT_RESET";
      case 0x1b -> "SET_OPTION";
      case RESET_CONNECTION -> "RESET_CONNECTION";
      default -> null;
    };
  }

  /**
   * Where the text of a query begins, behind the command and the attributes that newer clients send
   * before it; behind the end if there are any.
   */
  static int queryBegin(Packet packet) {
    // No text begins with a zero: it is the number of attributes, and a set of them follows.
    boolean attributes = packet.get(0) == QUERY && packet.get(2) == 1;
    if (!attributes) {
      return 1;
    }
    return packet.get(1) == 0 ? 3 : packet.length();
  }
}
