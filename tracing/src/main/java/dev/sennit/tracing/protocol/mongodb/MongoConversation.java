/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mongodb;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Bearings;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Footing;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one connection says in MongoDB's protocol. Answers name the request that they are to, and
 * come in the order of the requests.
 */
final class MongoConversation implements Conversation {
  private static final String SYSTEM = "mongodb";
  private static final int MOST_OPEN = 1024;
  private static final int MOST_LOOKED_AT = 4096;

  /**
   * A request that waits.
   *
   * @param exchange null if its answer is not told
   */
  private record Asked(@Nullable Exchange exchange, long bytes) {}

  private static final Asked LEFT_ALONE = new Asked(null, 0);

  private final Channel channel;
  private final Inflow requests;
  private final Inflow responses;
  private final Map<Integer, Asked> open = new LinkedHashMap<>();
  private final Bearings bearings;
  private final Footing footing;
  private int exchanges;

  MongoConversation(Channel channel) {
    this.channel = channel;
    requests = channel.inflow(Side.REQUESTS);
    responses = channel.inflow(Side.RESPONSES);
    bearings = new Bearings(channel);
    footing = new Footing(channel, this::giveUp);
  }

  @Override
  public void advance(Side side) {
    boolean more = true;
    while (more) {
      more = side == Side.REQUESTS ? advanceRequests() : advanceResponses();
    }
  }

  @Override
  public void end(Piece by) {
    for (Asked asked : open.values()) {
      if (asked.exchange != null) {
        footing.close(asked.exchange);
      }
    }
    giveUp(by);
  }

  @Override
  public boolean isOpen() {
    return exchanges > 0;
  }

  private boolean advanceRequests() {
    if (requests.size() < MessageHeader.SIZE) {
      return requests.isBroken() && bearings.lose(Lost.GAP);
    }
    MessageHeader header = MessageHeader.of(requests);
    if (!header.canBegin(Side.REQUESTS, requests)) {
      return bearings.lose(Lost.MALFORMED);
    }
    int end = Math.min(header.length(), MOST_LOOKED_AT);
    if (requests.size() < end && !requests.isBroken()) {
      return false;
    }
    bearings.find();
    request(header, read(requests, header, end));
    requests.skip(header.length());
    return true;
  }

  private static Message read(Inflow in, MessageHeader header, int end) {
    Message message = new Message(MOST_LOOKED_AT);
    int body = MessageHeader.SIZE;
    message.read(header.opCode(), in.bytes(body, Math.min(end, in.size()) - body));
    return message;
  }

  private void request(MessageHeader header, Message message) {
    Piece first = requests.piece(0);
    footing.asked(first);
    String command = message.command();
    if (command == null || message.isUnreadable() || !Commands.isName(command)) {
      channel.lost(Lost.UNSUPPORTED);
      leaveAlone(header.requestId());
      return;
    }
    if (message.isAwaiting()) {
      leaveAlone(header.requestId());
      return;
    }
    Piece last = requests.piece(Math.min(header.length(), requests.size()) - 1);
    Exchange exchange = describe(message, command, first).head(last);
    if (exchanges >= MOST_OPEN) {
      channel.lost(Lost.TOO_MANY_OPEN);
      leaveAlone(header.requestId());
      return;
    }
    channel.opened(exchange);
    if (message.isMoreToCome()) {
      channel.ended(exchange.sizes(header.length(), 0).complete(last));
      return;
    }
    exchanges++;
    end(open.put(header.requestId(), new Asked(exchange, header.length())), last);
  }

  private static Exchange describe(Message message, String command, Piece first) {
    String collection = message.collection();
    String target = collection == null ? message.database() : collection;
    return new Exchange(
            MongoProtocol.NAME, target == null ? command : command + " " + target, first)
        .put("db.system.name", SYSTEM)
        .put("db.namespace", message.database())
        .put("db.collection.name", collection)
        .put("db.operation.name", command);
  }

  private void leaveAlone(int request) {
    if (open.size() < 2 * MOST_OPEN) {
      end(open.put(request, LEFT_ALONE), requests.last());
    }
  }

  private boolean advanceResponses() {
    if (responses.size() < MessageHeader.SIZE) {
      return responses.isBroken() && loseResponses(Lost.GAP);
    }
    MessageHeader header = MessageHeader.of(responses);
    if (!header.canBegin(Side.RESPONSES, responses)) {
      return loseResponses(Lost.MALFORMED);
    }
    int end = Math.min(header.length(), MOST_LOOKED_AT);
    if (responses.size() < end && !responses.isBroken()) {
      return false;
    }
    footing.find();
    bearings.understand();
    response(header, read(responses, header, end));
    responses.skip(header.length());
    return true;
  }

  private boolean loseResponses(Lost reason) {
    if (!footing.isLost()) {
      footing.lose(reason);
    }
    // The next call may begin with a message.
    if (reason == Lost.GAP) {
      responses.resume();
      return true;
    }
    responses.skipRun();
    return bearings.mistake();
  }

  private void response(MessageHeader header, Message message) {
    Asked asked = open.get(header.responseTo());
    if (asked == null) {
      channel.lost(Lost.NO_REQUEST);
      return;
    }
    Piece last = responses.piece(Math.min(header.length(), responses.size()) - 1);
    giveUpBefore(header.responseTo(), last);
    open.remove(header.responseTo());
    if (message.isMoreToCome()) {
      // What follows is asked by nobody, and names this message.
      leaveAlone(header.requestId());
    }
    Exchange exchange = asked.exchange;
    if (exchange == null) {
      return;
    }
    if (message.isFailed()) {
      String code = message.code();
      exchange.put("db.response.status_code", code).failed(code == null ? "_OTHER" : code);
    }
    exchanges--;
    channel.ended(exchange.sizes(asked.bytes, header.length()).complete(last));
  }

  /** What was asked earlier is answered already, and that was not seen. */
  private void giveUpBefore(int request, Piece piece) {
    Iterator<Map.Entry<Integer, Asked>> eldestFirst = open.entrySet().iterator();
    for (var entry = eldestFirst.next(); entry.getKey() != request; entry = eldestFirst.next()) {
      eldestFirst.remove();
      end(entry.getValue(), piece);
    }
  }

  private void giveUp(Piece piece) {
    open.values().forEach(asked -> end(asked, piece));
    open.clear();
  }

  /** Ends what will not be answered. */
  private void end(@Nullable Asked asked, Piece piece) {
    if (asked != null && asked.exchange != null) {
      exchanges--;
      channel.ended(asked.exchange.sizes(asked.bytes, 0).broken(piece));
    }
  }
}
