/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.postgres;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Bearings;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Footing;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.protocol.postgres.Asked.Kind;
import dev.sennit.tracing.protocol.sql.Sql;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import org.jspecify.annotations.Nullable;

/** What one connection says in PostgreSQL's protocol. */
final class PostgresConversation implements Conversation {
  private static final String SYSTEM = "postgresql";

  /** Of any message, no more than this is looked at. */
  private static final int MOST_LOOKED_AT = Sql.MOST_BYTES + 512;

  private final Channel channel;
  private final Inflow requests;
  private final Inflow responses;
  private final Remembered remembered = new Remembered();
  private final Backlog backlog;
  private final Bearings bearings;
  private final Footing footing;

  /** The messages before an Execute that belong to it. */
  private @Nullable Piece begun;

  private Sql begunSql = Sql.UNKNOWN;
  private long begunBytes;
  private boolean bound;

  private boolean awaitsEncryption;
  private boolean left;

  PostgresConversation(Channel channel) {
    this.channel = channel;
    requests = channel.inflow(Side.REQUESTS);
    responses = channel.inflow(Side.RESPONSES);
    backlog = new Backlog(channel);
    bearings = new Bearings(channel);
    footing = new Footing(channel, backlog::giveUp);
  }

  @Override
  public void advance(Side side) {
    boolean more = true;
    while (more && !left) {
      more = side == Side.REQUESTS ? advanceRequests() : advanceResponses();
    }
  }

  @Override
  public void end(Piece by) {
    backlog.end(by, footing);
  }

  @Override
  public boolean isOpen() {
    return !backlog.isEmpty();
  }

  /** Whether a message was passed, or something was done about that it could not be. */
  private boolean advanceRequests() {
    if (requests.size() > 0 && requests.get(0) == 0) {
      return startUp();
    }
    if (requests.size() < MessageFormat.HEADER) {
      return requests.isBroken() && loseRequests(Lost.GAP);
    }
    if (!MessageFormat.canBegin(Side.REQUESTS, requests, 0)) {
      return loseRequests(Lost.MALFORMED);
    }
    bearings.find();
    long total = MessageFormat.total(requests, 0);
    int end = (int) Math.min(total, MOST_LOOKED_AT);
    if (requests.size() < end && !requests.isBroken() && isLookedAt(requests.get(0))) {
      return false;
    }
    request(total, Math.min(end, requests.size()));
    requests.skip(total);
    return true;
  }

  private static boolean isLookedAt(int type) {
    return "QPBDEC".indexOf(type) >= 0;
  }

  private void request(long total, int end) {
    int body = MessageFormat.HEADER;
    Piece first = requests.piece(0);
    Piece last = requests.piece(end - 1);
    boolean cut = end < total;
    switch (requests.get(0)) {
      case 'Q' -> {
        begun = null;
        ask(Kind.QUERY, remembered.query(requests, body, end, cut), first, last, total);
      }
      case 'P' -> begin(first, remembered.parsed(requests, body, end), total);
      case 'B' -> {
        begin(first, remembered.bound(requests, body, end), total);
        bound = true;
      }
      case 'D' -> {
        if (begun == null) {
          begin(first, remembered.described(requests, body, end), total);
        } else {
          begunBytes += total;
        }
      }
      case 'C' -> remembered.closed(requests, body, end);
      case 'E' -> execute(remembered.portal(requests, body, end), first, last, total);
      case 'S' -> synchronise(last);
      case 'F' -> {
        begun = null;
        ask(Kind.QUERY, Sql.command("FunctionCall"), first, last, total);
      }
      case 'd', 'c', 'f' -> backlog.sent(total);
      default -> {
        // Passwords, Flush and Terminate: nothing to be told.
      }
    }
  }

  private void begin(Piece first, Sql sql, long bytes) {
    if (begun == null) {
      footing.asked(first);
      begun = first;
      begunBytes = 0;
      bound = false;
    }
    begunSql = sql;
    begunBytes += bytes;
  }

  private void execute(Sql sql, Piece first, Piece last, long bytes) {
    Piece from = begun;
    long all = from == null ? bytes : begunBytes + bytes;
    begun = null;
    if (from == null) {
      footing.asked(first);
    }
    ask(Kind.EXECUTE, sql, from == null ? first : from, last, all);
  }

  private void synchronise(Piece last) {
    if (begun != null) {
      Piece from = begun;
      begun = null;
      ask(Kind.PREPARE, begunSql, from, last, begunBytes);
    }
    backlog.add(new Asked(Kind.SYNC, null, null));
  }

  private void ask(Kind kind, Sql sql, Piece first, Piece last, long bytes) {
    Exchange exchange =
        new Exchange(PostgresProtocol.NAME, SYSTEM, first)
            .head(last)
            .put("db.system.name", SYSTEM)
            .put("db.namespace", remembered.namespace());
    sql.describe(exchange);
    if (kind == Kind.QUERY) {
      footing.asked(first);
    }
    Asked asked = new Asked(kind, exchange, Backlog.firstWord(sql.operation()));
    asked.requestBytes = bytes;
    backlog.add(asked);
  }

  private boolean loseRequests(Lost reason) {
    if (begun != null && bound) {
      // What was bound is executed: that was behind it.
      execute(begunSql, begun, requests.last(), 0);
      backlog.add(new Asked(Kind.SYNC, null, null));
    }
    begun = null;
    return bearings.lose(reason);
  }

  /** The messages without a type. */
  private boolean startUp() {
    if (requests.size() < 8) {
      return requests.isBroken() && loseRequests(Lost.GAP);
    }
    int total = requests.getInt(0);
    int code = requests.getInt(4);
    boolean version = code >>> 16 == MessageFormat.PROTOCOL_3;
    boolean encryption = code == MessageFormat.SSL_REQUEST || code == MessageFormat.GSS_REQUEST;
    if (total < 8
        || total > MessageFormat.LONGEST_STARTUP
        || !(version || encryption || code == MessageFormat.CANCEL_REQUEST)) {
      return loseRequests(Lost.MALFORMED);
    }
    if (requests.size() < total && !requests.isBroken()) {
      return false;
    }
    bearings.find();
    footing.find();
    awaitsEncryption |= encryption;
    if (version) {
      remembered.startUp(requests, 8, Math.min(total, requests.size()));
    }
    requests.skip(total);
    return true;
  }

  private boolean advanceResponses() {
    if (awaitsEncryption && responses.size() > 0) {
      return encryption();
    }
    if (footing.isLost()) {
      return findReady();
    }
    if (responses.size() < MessageFormat.HEADER) {
      return responses.isBroken() && loseResponses(Lost.GAP);
    }
    if (!MessageFormat.canBegin(Side.RESPONSES, responses, 0)) {
      return loseResponses(Lost.MALFORMED);
    }
    bearings.understand();
    long total = MessageFormat.total(responses, 0);
    int type = responses.get(0);
    boolean lookedAt = "ECSZIsGW".indexOf(type) >= 0;
    int end = (int) Math.min(total, MOST_LOOKED_AT);
    if (lookedAt && responses.size() < end && !responses.isBroken()) {
      return false;
    }
    footing.find();
    if (lookedAt) {
      response(type, total, Math.min(end, responses.size()));
    } else {
      backlog.received(total);
    }
    responses.skip(total);
    return true;
  }

  private void response(int type, long total, int end) {
    int body = MessageFormat.HEADER;
    Piece last = responses.piece(end - 1);
    if (type == 'S') {
      remembered.parameter(responses, body, end);
      return;
    }
    backlog.received(total);
    switch (type) {
      case 'C' -> {
        String tag = responses.latin1(body, Math.max(0, end - body - 1));
        if (tag.equals("DEALLOCATE ALL") || tag.equals("DISCARD ALL")) {
          remembered.forgetStatements();
        }
        backlog.completed(tag, last);
      }
      case 'I', 's' -> backlog.completed("", last);
      case 'E' -> backlog.failed(state(end), last);
      case 'G' -> backlog.copyBegun();
      case 'W' -> {
        channel.lost(Lost.UNSUPPORTED);
        backlog.leave(last);
      }
      default -> {
        if (backlog.isEmpty() && requests.isSkipping()) {
          // The server waits for a request in whose midst this seems to be.
          requests.drop();
        }
        backlog.ready(last);
      }
    }
  }

  /** The SQLSTATE of an error: fields, each a letter and a text. */
  private @Nullable String state(int end) {
    int at = MessageFormat.HEADER;
    while (at < end && responses.get(at) != 0) {
      int zero = responses.indexOf(0, at);
      if (zero < 0 || zero >= end) {
        return null;
      }
      if (responses.get(at) == 'C') {
        String state = responses.latin1(at + 1, zero - at - 1);
        return state.matches("[0-9A-Z]{5}") ? state : null;
      }
      at = zero + 1;
    }
    return null;
  }

  private boolean encryption() {
    int answer = responses.get(0);
    awaitsEncryption = false;
    if (answer == 'S' || answer == 'G') {
      responses.consume(1);
      left = true;
      backlog.giveUp(responses.last());
      channel.switched();
    } else if (answer == 'N') {
      responses.consume(1);
    }
    return true;
  }

  private boolean loseResponses(Lost reason) {
    footing.lose(reason);
    if (reason == Lost.GAP) {
      responses.resume();
      return true;
    }
    return bearings.mistake();
  }

  /** ReadyForQuery looks like nothing else. */
  private boolean findReady() {
    for (int at = responses.indexOf('Z', 0); at >= 0; at = responses.indexOf('Z', at + 1)) {
      if (responses.size() - at >= MessageFormat.HEADER + 1
          && MessageFormat.canBegin(Side.RESPONSES, responses, at)) {
        responses.consume(at);
        footing.find();
        return true;
      }
    }
    if (responses.isBroken()) {
      responses.resume();
      return true;
    }
    responses.consume(Math.max(0, responses.size() - MessageFormat.HEADER));
    return false;
  }
}
