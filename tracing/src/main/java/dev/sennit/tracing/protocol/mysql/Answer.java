/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mysql;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.sql.Sql;
import org.jspecify.annotations.Nullable;

/**
 * A command that waits for its answer, and how far that has come.
 *
 * <p>Whether a result has an EOF behind its columns is seen when it is there or is not, so that
 * nothing depends on what the two sides have agreed upon, which a connection that is joined late
 * does not tell.
 */
final class Answer {
  private static final int MORE_RESULTS = 0x0008;
  private static final int CURSOR = 0x0040;
  private static final int PROGRESS = 0xffff;

  private enum State {
    FIRST,
    COLUMNS,
    BEHIND_COLUMNS,
    ROWS,
    DEFINITIONS,
    FILE
  }

  final int command;
  final Sql sql;

  final Exchange exchange;

  /** The database that it changes to; null for any other. */
  final @Nullable String database;

  long requestBytes;
  long responseBytes;

  /** The sequence number of the next packet; -1 if it may be any. */
  int sequence = 1;

  private State state;
  private int left;
  private int error;
  private int status;
  private int statement = -1;

  Answer(int command, Sql sql, Exchange exchange, @Nullable String database) {
    this.command = command;
    this.sql = sql;
    this.exchange = exchange;
    this.database = database;
    boolean rows = command == Commands.STMT_FETCH || command == Commands.FIELD_LIST;
    state = rows ? State.ROWS : State.FIRST;
  }

  boolean isBegun() {
    return responseBytes > 0;
  }

  /** Takes a packet; whether it was the last. */
  boolean take(Packet packet) {
    responseBytes += packet.total();
    boolean clientTakesPart = state == State.FILE || command == Commands.CHANGE_USER;
    sequence = clientTakesPart ? -1 : packet.sequence() + 1 & 0xff;
    if (packet.isError()) {
      int code = packet.getShort(1);
      error = code == PROGRESS ? 0 : code;
      return code != PROGRESS;
    }
    return switch (state) {
      case FIRST -> first(packet);
      case COLUMNS -> {
        if (--left == 0) {
          state = State.BEHIND_COLUMNS;
        }
        yield false;
      }
      case BEHIND_COLUMNS -> {
        state = State.ROWS;
        if (packet.isOldEnd()) {
          // With a cursor, the rows are fetched by another command.
          yield (packet.status() & CURSOR) != 0 && end(packet);
        }
        yield packet.isEnd() && end(packet);
      }
      case ROWS -> packet.isEnd() && end(packet);
      case DEFINITIONS -> !packet.isOldEnd() && --left == 0;
      case FILE -> end(packet);
    };
  }

  private boolean first(Packet packet) {
    if (command == Commands.STMT_PREPARE && packet.isOk()) {
      statement = packet.getInt(1);
      left = Math.max(0, packet.getShort(5)) + Math.max(0, packet.getShort(7));
      state = State.DEFINITIONS;
      return left == 0;
    }
    if (command == Commands.CHANGE_USER) {
      // Anything but OK goes on with authentication.
      return packet.isOk();
    }
    if (packet.isOk() || packet.isEnd()) {
      return end(packet);
    }
    if (command == Commands.STATISTICS) {
      return true;
    }
    if (packet.get(0) == 0xfb) {
      state = State.FILE;
      sequence = -1;
      return false;
    }
    left = packet.number(0);
    // MariaDB may say in a byte behind the number that the columns are known already.
    int behind = packet.numberLength(0);
    boolean known = packet.length() > behind && packet.get(behind) == 0;
    state = known ? State.BEHIND_COLUMNS : State.COLUMNS;
    return left <= 0;
  }

  private boolean end(Packet packet) {
    status = packet.status();
    state = State.FIRST;
    return (status & MORE_RESULTS) == 0;
  }

  /** The number of the error; 0 for none. */
  int error() {
    return error;
  }

  /** The last status that the server told; 0 for none. */
  int status() {
    return status;
  }

  /** The id of the statement that was prepared; -1 for none. */
  int statement() {
    return statement;
  }
}
