/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mysql;

import dev.sennit.tracing.Recent;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Bearings;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Footing;
import dev.sennit.tracing.protocol.InStep;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.protocol.sql.Sql;
import dev.sennit.tracing.protocol.sql.SqlDialect;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What one connection says in MySQL's protocol. */
final class MysqlConversation implements Conversation {
  private static final int MOST_OPEN = 1024;
  private static final int MOST_STATEMENTS = 1024;
  private static final int MOST_LOOKED_AT = Sql.MOST_BYTES + 64;
  private static final int LOOKED_AT_IN_RESPONSES = 64;

  /** MariaDB: the statement that was prepared last, whose id the client does not know yet. */
  private static final int LAST_PREPARED = -1;

  private static final int NO_BACKSLASH_ESCAPES = 0x0200;

  private final Channel channel;
  private final Inflow requests;
  private final Inflow responses;
  private final Login login = new Login();
  private final ArrayDeque<Answer> open = new ArrayDeque<>();
  private final Recent<Integer, Sql> statements = new Recent<>(MOST_STATEMENTS);
  private final Bearings bearings;
  private final Footing footing;
  private final InStep inStep = new InStep();
  private Sql lastPrepared = Sql.UNKNOWN;
  private SqlDialect dialect = SqlDialect.MYSQL;
  private boolean requestContinues;
  private boolean responseContinues;
  private int unheld;
  private boolean left;

  MysqlConversation(Channel channel) {
    this.channel = channel;
    requests = channel.inflow(Side.REQUESTS);
    responses = channel.inflow(Side.RESPONSES);
    bearings = new Bearings(channel);
    footing = new Footing(channel, this::giveUp);
    if (!channel.isWhole()) {
      login.leaveOut();
    }
  }

  @Override
  public void advance(Side side) {
    if (left) {
      channel.inflow(side).drop();
      return;
    }
    boolean more = true;
    while (more && !left) {
      more = side == Side.REQUESTS ? advanceRequests() : advanceResponses();
    }
  }

  @Override
  public void end(Piece by) {
    open.forEach(answer -> footing.close(answer.exchange));
    giveUp(by);
  }

  @Override
  public boolean isOpen() {
    return !open.isEmpty();
  }

  private boolean advanceRequests() {
    if (requests.size() < Packet.HEADER + 1) {
      boolean empty = requests.size() == Packet.HEADER && requests.getMediumLittle(0) == 0;
      if (!empty) {
        return requests.isBroken() && loseRequests(Lost.GAP);
      }
    }
    Packet packet = Packet.of(requests, MOST_LOOKED_AT);
    if (bearings.isAdrift()
        && packet.length() > 0
        && PacketLikeness.ofRequest(requests) == Likeness.NO) {
      return loseRequests(Lost.MALFORMED);
    }
    boolean wanted = packet.at() < Math.min(packet.length(), MOST_LOOKED_AT);
    if (wanted && !requests.isBroken()) {
      return false;
    }
    boolean encryption = false;
    if (requestContinues || packet.sequence() != 0) {
      encryption = other(packet);
    } else if (isCommand(packet)) {
      bearings.find();
      command(packet);
    } else {
      return loseRequests(Lost.MALFORMED);
    }
    requestContinues = packet.length() == Packet.LONGEST;
    requests.skip(packet.total());
    if (encryption) {
      left = true;
      giveUp(requests.last());
      channel.switched();
    }
    return true;
  }

  private static boolean isCommand(Packet packet) {
    int command = packet.get(0);
    return packet.sequence() == 0
        && packet.length() > 0
        && (command == Commands.STMT_BULK_EXECUTE || (command > 0 && command <= 0x1f));
  }

  /**
   * The client's part of the handshake, the rest of a long command, or the lines of a file.
   *
   * @return whether encryption follows
   */
  private boolean other(Packet packet) {
    Answer last = open.peekLast();
    if (last == null) {
      return !login.isDone() && login.response(packet);
    }
    last.requestBytes += packet.total();
    if (requestContinues) {
      last.sequence = packet.sequence() + 1 & 0xff;
    }
    return false;
  }

  private void command(Packet packet) {
    int command = packet.get(0);
    switch (command) {
      case Commands.QUERY -> {
        Sql sql = query(packet);
        ask(packet, sql, Login.usedBy(sql));
      }
      case Commands.STMT_PREPARE -> {
        lastPrepared = query(packet);
        ask(packet, lastPrepared, null);
      }
      case Commands.STMT_EXECUTE, Commands.STMT_BULK_EXECUTE, Commands.STMT_FETCH ->
          ask(packet, statement(packet.getInt(1)), null);
      case Commands.STMT_CLOSE -> statements.remove(packet.getInt(1));
      case Commands.STMT_SEND_LONG_DATA, Commands.QUIT -> {
        // Nobody answers.
      }
      case Commands.BINLOG_DUMP, Commands.BINLOG_DUMP_GTID -> leave();
      case Commands.INIT_DB -> ask(packet, named(command), packet.text(1));
      case Commands.CHANGE_USER -> ask(packet, named(command), Login.changedTo(packet));
      default -> ask(packet, named(command), null);
    }
  }

  private static Sql named(int command) {
    String name = Commands.name(command);
    return name == null ? Sql.UNKNOWN : Sql.command(name);
  }

  private Sql query(Packet packet) {
    int from = Commands.queryBegin(packet);
    int end = Math.min(packet.at(), from + Sql.MOST_BYTES);
    if (from >= end) {
      return Sql.UNKNOWN;
    }
    // A zero in the midst is of another packet, after a loss.
    int zero = requests.indexOf(0, Packet.HEADER + from);
    int stop = zero < 0 ? end : Math.min(end, zero - Packet.HEADER);
    String text = requests.utf8(Packet.HEADER + from, stop - from);
    return Sql.read(text, dialect, stop < packet.length());
  }

  private Sql statement(int id) {
    Sql sql = id == LAST_PREPARED ? lastPrepared : statements.get(id);
    return sql == null ? Sql.UNKNOWN : sql;
  }

  private void ask(Packet packet, Sql sql, @Nullable String database) {
    Piece first = requests.piece(0);
    footing.asked(first);
    inStep.asked(open.size() + unheld);
    if (open.size() >= MOST_OPEN || unheld > 0) {
      channel.lost(Lost.TOO_MANY_OPEN);
      unheld++;
      return;
    }
    Exchange exchange =
        new Exchange(MysqlProtocol.NAME, login.system(), first)
            .head(requests.piece(Packet.HEADER + Math.max(0, packet.at() - 1)))
            .put("db.system.name", login.system())
            .put("db.namespace", login.database());
    sql.describe(exchange);
    Answer answer = new Answer(packet.get(0), sql, exchange, database);
    answer.requestBytes = packet.total();
    open.add(answer);
    // Preparations are told if they fail, and then at once.
    if (answer.command != Commands.STMT_PREPARE) {
      channel.opened(exchange);
    }
  }

  private void leave() {
    channel.lost(Lost.UNSUPPORTED);
    giveUp(requests.last());
    left = true;
  }

  private boolean loseRequests(Lost reason) {
    requestContinues = false;
    return bearings.lose(reason);
  }

  private boolean advanceResponses() {
    if (footing.isLost()) {
      responses.drop();
      return false;
    }
    if (responses.size() < Packet.HEADER) {
      return responses.isBroken() && loseResponses(Lost.GAP);
    }
    Packet packet = Packet.of(responses, LOOKED_AT_IN_RESPONSES);
    boolean wanted = packet.at() < Math.min(packet.length(), LOOKED_AT_IN_RESPONSES);
    if (wanted && !responses.isBroken()) {
      return false;
    }
    if (wanted && packet.at() == 0) {
      return loseResponses(Lost.GAP);
    }
    Piece last = responses.piece(Math.min(packet.total(), responses.size()) - 1);
    if (responseContinues) {
      responseContinues = packet.length() == Packet.LONGEST;
    } else if (!response(packet, last)) {
      return loseResponses(Lost.GAP);
    }
    if (!footing.isLost()) {
      footing.find();
      responses.skip(packet.total());
    }
    return true;
  }

  /** Whether the packet can be where it is. */
  private boolean response(Packet packet, Piece last) {
    responseContinues = packet.length() == Packet.LONGEST;
    Answer answer = open.peekFirst();
    boolean expected = answer != null && packet.sequence() == answer.sequence;
    if (!login.isDone() && !expected) {
      if (login.take(packet)) {
        bearings.understand();
      }
      if (login.isDone() && login.isCompressed()) {
        leave();
      }
      return true;
    }
    login.leaveOut();
    if (packet.isOldEnd() && !expected && (answer == null || !answer.isBegun())) {
      // Behind the definitions of a statement, unless both sides have agreed to leave it out.
      return true;
    }
    if (answer == null) {
      if (packet.sequence() == 1 && unheld == 0) {
        channel.lost(Lost.NO_REQUEST);
        inStep.unasked();
      }
      return unheld == 0;
    }
    if (answer.sequence >= 0 && !expected) {
      return false;
    }
    bearings.understand();
    if (answer.take(packet)) {
      open.removeFirst();
      answered(answer, last);
    }
    return true;
  }

  private void answered(Answer answer, Piece last) {
    if (answer.status() != 0) {
      boolean plain = (answer.status() & NO_BACKSLASH_ESCAPES) != 0;
      dialect = plain ? SqlDialect.MYSQL_PLAIN_BACKSLASHES : SqlDialect.MYSQL;
    }
    if (answer.error() == 0) {
      if (answer.database != null) {
        login.use(answer.database);
      }
      if (answer.statement() != LAST_PREPARED) {
        statements.put(answer.statement(), answer.sql);
      }
    }
    Exchange exchange = answer.exchange;
    boolean prepare = answer.command == Commands.STMT_PREPARE;
    if (!prepare || answer.error() != 0) {
      if (prepare) {
        channel.opened(exchange);
      }
      if (answer.error() != 0) {
        String code = String.valueOf(answer.error());
        exchange.put("db.response.status_code", answer.error() < 0 ? null : code);
        exchange.failed(answer.error() < 0 ? "_OTHER" : code);
      }
      end(answer, exchange.complete(last));
    }
    for (int lost = inStep.answered(open.size() + unheld); lost > 0 && !open.isEmpty(); lost--) {
      channel.lost(Lost.GAP);
      broken(open.removeFirst(), last);
    }
  }

  private boolean loseResponses(Lost reason) {
    responseContinues = false;
    footing.lose(reason);
    responses.drop();
    return true;
  }

  private void giveUp(Piece piece) {
    responseContinues = false;
    unheld = 0;
    while (!open.isEmpty()) {
      broken(open.removeFirst(), piece);
    }
  }

  private void broken(Answer answer, Piece piece) {
    if (answer.command != Commands.STMT_PREPARE) {
      end(answer, answer.exchange.broken(piece));
    }
  }

  private void end(Answer answer, Exchange exchange) {
    channel.ended(exchange.sizes(answer.requestBytes, answer.responseBytes));
  }
}
