/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mysql;

import dev.sennit.tracing.protocol.sql.Sql;
import org.jspecify.annotations.Nullable;

/**
 * The begin of a connection, and what is known of it from then on: which server it is, and which
 * database is used. Nothing of the user and of how it is authenticated is looked at but its length.
 */
final class Login {
  private static final int CONNECT_WITH_DB = 0x0008;
  private static final int COMPRESS = 0x0020;
  private static final int PROTOCOL_41 = 0x0200;
  private static final int SSL = 0x0800;
  private static final int SECURE_CONNECTION = 0x8000;
  private static final int LENGTH_ENCODED_AUTHENTICATION = 0x20_0000;
  private static final int ZSTD = 0x400_0000;

  /** Capabilities, the greatest packet, the character set, and bytes that are reserved. */
  private static final int FIXED = 32;

  private String system = "mysql";
  private @Nullable String database;
  private boolean compressed;
  private boolean answered;
  private boolean done;

  /** The value of {@code db.system.name}. */
  String system() {
    return system;
  }

  @Nullable String database() {
    return database;
  }

  void use(String used) {
    database = used.isEmpty() ? null : used;
  }

  boolean isDone() {
    return done;
  }

  boolean isCompressed() {
    return compressed;
  }

  /** It happened before anything was seen, or was not seen to the end. */
  void leaveOut() {
    done = true;
  }

  /** Takes a packet of the server; whether it was the last. */
  boolean take(Packet packet) {
    if (packet.sequence() == 0 && packet.get(0) == 10) {
      String version = packet.text(1);
      system = version.contains("MariaDB") ? "mariadb" : "mysql";
      return false;
    }
    done = packet.isOk() || packet.isError();
    return done;
  }

  /** Takes a packet of the client; whether TLS follows. */
  boolean response(Packet packet) {
    int capabilities = packet.getInt(0);
    if (answered || packet.at() < FIXED || (capabilities & PROTOCOL_41) == 0) {
      return false;
    }
    if (packet.length() == FIXED) {
      return (capabilities & SSL) != 0;
    }
    answered = true;
    compressed = (capabilities & (COMPRESS | ZSTD)) != 0;
    if ((capabilities & CONNECT_WITH_DB) != 0) {
      int authentication = behindText(packet, FIXED);
      int behind;
      if ((capabilities & LENGTH_ENCODED_AUTHENTICATION) != 0) {
        behind =
            authentication + packet.numberLength(authentication) + packet.number(authentication);
      } else if ((capabilities & SECURE_CONNECTION) != 0) {
        behind = authentication + 1 + packet.get(authentication);
      } else {
        behind = behindText(packet, authentication);
      }
      use(packet.text(behind));
    }
    return false;
  }

  /** The database of COM_CHANGE_USER: it follows the user and the authentication. */
  static String changedTo(Packet packet) {
    int authentication = behindText(packet, 1);
    return packet.text(authentication + 1 + Math.max(0, packet.get(authentication)));
  }

  private static int behindText(Packet packet, int from) {
    int i = from;
    while (packet.get(i) > 0) {
      i++;
    }
    return i + 1;
  }

  /** The database of a statement USE; null for any other. */
  static @Nullable String usedBy(Sql sql) {
    String summary = sql.summary();
    return summary != null && summary.regionMatches(true, 0, "USE ", 0, 4)
        ? summary.substring(4).replace("`", "")
        : null;
  }
}
