/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.dns;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions and answers between two ends. */
final class DnsConversation implements Conversation {
  private static final int MOST_OPEN = 1024;
  private static final int MULTICAST_PORT = 5353;
  private static final String TIMEOUT = "timeout";

  /** A question that had no answer for so long will have none: clients give up earlier. */
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private enum Framing {
    UNKNOWN,
    DATAGRAMS,
    STREAM
  }

  private record Key(int id, String question) {}

  private record Asked(Exchange exchange, int size) {}

  private final Channel channel;
  private final Map<Key, Asked> open = new LinkedHashMap<>();
  private final boolean multicast;
  private Framing framing = Framing.UNKNOWN;
  private boolean understood;
  private boolean over;

  DnsConversation(Channel channel) {
    this.channel = channel;
    this.multicast = isMulticast(channel.server()) || isMulticast(channel.client());
    if (multicast) {
      channel.lost(Lost.UNSUPPORTED);
    }
  }

  private static boolean isMulticast(@Nullable InetSocketAddress end) {
    return end != null && end.getPort() == MULTICAST_PORT;
  }

  @Override
  public void advance(Side side) {
    if (multicast) {
      channel.inflow(side).drop();
      return;
    }
    while (!over) {
      Side first = isResponseNext() ? Side.RESPONSES : Side.REQUESTS;
      if (!step(first) && (over || !step(first.other()))) {
        break;
      }
    }
  }

  private boolean isResponseNext() {
    Inflow requests = channel.inflow(Side.REQUESTS);
    Inflow responses = channel.inflow(Side.RESPONSES);
    if (requests.size() == 0 || responses.size() == 0) {
      return responses.size() > 0;
    }
    return responses.piece(0).time() < requests.piece(0).time();
  }

  private boolean step(Side side) {
    Inflow inflow = channel.inflow(side);
    if (inflow.size() == 0 && !inflow.isBroken()) {
      return false;
    }
    return switch (framing) {
      case UNKNOWN -> findFraming(side, inflow);
      case DATAGRAMS -> readDatagram(side, inflow);
      case STREAM -> readFromStream(side, inflow);
    };
  }

  private boolean findFraming(Side side, Inflow inflow) {
    if (Wire.judgeDatagram(side, inflow) == Likeness.CLEAR) {
      framing = Framing.DATAGRAMS;
      return true;
    }
    Likeness likeness = Wire.judgeStream(side, inflow);
    if (likeness == Likeness.CLEAR) {
      framing = Framing.STREAM;
      return true;
    }
    return (likeness == Likeness.NO || inflow.isBroken()) && malformed(inflow);
  }

  private boolean malformed(Inflow inflow) {
    inflow.skipRun();
    channel.lost(Lost.MALFORMED);
    if (!understood) {
      over = true;
      channel.mistaken();
    }
    return true;
  }

  private boolean readDatagram(Side side, Inflow inflow) {
    boolean broken = inflow.isRunBroken();
    byte[] bytes = inflow.bytes(0, inflow.run());
    inflow.skipRun();
    read(side, bytes, !broken, inflow.skipped(), inflow.skipped());
    return true;
  }

  private boolean readFromStream(Side side, Inflow inflow) {
    Likeness likeness = Wire.judgeStream(side, inflow);
    if (likeness == Likeness.NO) {
      return malformed(inflow);
    }
    if (inflow.size() < Wire.LENGTH) {
      return inflow.isBroken() && malformed(inflow);
    }
    int length = inflow.getShort(0);
    boolean whole = inflow.size() >= Wire.LENGTH + length;
    if (!whole && !inflow.isBroken()) {
      return false;
    }
    int atHand = Math.min(length, inflow.size() - Wire.LENGTH);
    byte[] bytes = inflow.bytes(Wire.LENGTH, atHand);
    Piece begin = inflow.piece(0);
    inflow.skip(Wire.LENGTH + length);
    read(side, bytes, whole, begin, inflow.skipped());
    return true;
  }

  private void read(Side side, byte[] bytes, boolean whole, Piece begin, Piece end) {
    DnsMessage message = DnsMessage.parse(bytes);
    if (message == null || message.isResponse() != (side == Side.RESPONSES)) {
      channel.lost(Lost.MALFORMED);
      return;
    }
    if (!message.isQuestion()) {
      channel.lost(Lost.UNSUPPORTED);
      return;
    }
    if (!whole) {
      channel.lost(Lost.GAP);
    }
    understood = true;
    if (side == Side.REQUESTS) {
      ask(message, bytes.length, begin, end);
    } else {
      answer(message, bytes.length, end);
    }
  }

  private void ask(DnsMessage message, int size, Piece begin, Piece end) {
    forgetOld(begin);
    String question = message.question(false);
    String name = message.question(true);
    if (question == null || name == null) {
      channel.lost(Lost.MALFORMED);
      return;
    }
    Key key = new Key(message.id(), question);
    if (open.containsKey(key)) {
      // The same question again: the first or its answer was lost on the way.
      return;
    }
    String type = message.type();
    Exchange exchange = new Exchange("dns", type == null ? "DNS" : "DNS " + type, begin);
    exchange.put("dns.question.name", name);
    open.put(key, new Asked(exchange.head(end), size));
    channel.opened(exchange);
  }

  private void forgetOld(Piece now) {
    Iterator<Asked> oldest = open.values().iterator();
    while (oldest.hasNext()) {
      Asked asked = oldest.next();
      boolean late = now.time() - asked.exchange.begin().time() > PATIENCE_NANOS;
      if (!late && open.size() < MOST_OPEN) {
        return;
      }
      oldest.remove();
      if (!late) {
        channel.lost(Lost.TOO_MANY_OPEN);
      }
      giveUp(asked, now);
    }
  }

  private void giveUp(Asked asked, Piece by) {
    Exchange exchange = asked.exchange.sizes(asked.size, 0).broken(by);
    channel.ended(channel.isServer() ? exchange : exchange.failed(TIMEOUT));
  }

  private void answer(DnsMessage message, int size, Piece end) {
    Asked asked = take(message);
    if (asked == null) {
      channel.lost(Lost.NO_REQUEST);
      return;
    }
    Exchange exchange = asked.exchange;
    List<String> answers = message.answers();
    if (!answers.isEmpty()) {
      exchange.put("dns.answers", answers);
    }
    String error = message.error();
    if (error != null) {
      exchange.failed(error);
    }
    channel.ended(exchange.sizes(asked.size, size).complete(end));
  }

  /** The question that is answered: where the answer does not repeat it, the only one of its id. */
  private @Nullable Asked take(DnsMessage message) {
    String question = message.question(false);
    if (question != null) {
      return open.remove(new Key(message.id(), question));
    }
    List<Key> same = open.keySet().stream().filter(key -> key.id == message.id()).toList();
    return same.size() == 1 ? open.remove(same.getFirst()) : null;
  }

  @Override
  public void end(Piece by) {
    for (Asked asked : open.values()) {
      giveUp(asked, by);
    }
    open.clear();
    over = true;
  }

  @Override
  public boolean isOpen() {
    return !open.isEmpty();
  }
}
