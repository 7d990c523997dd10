/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.connection;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import java.util.ArrayDeque;

/**
 * A protocol of lines for tests: a request begins with a letter of its own and has one answer, a
 * line that begins with {@code +}; {@code =} instead means that another protocol follows.
 */
record LineProtocol(String name, char letter, int usualPort, Likeness likeness)
    implements Protocol {
  @Override
  public Likeness judge(Side side, Inflow bytes) {
    int first = bytes.get(0);
    if (side == Side.RESPONSES) {
      return first == '+' || first == '=' ? Likeness.PERHAPS : Likeness.NO;
    }
    if (bytes.size() < 2) {
      return first == letter ? Likeness.TOO_FEW : Likeness.NO;
    }
    return first == letter ? likeness : Likeness.NO;
  }

  @Override
  public Conversation begin(Channel channel) {
    return new Lines(channel);
  }

  private final class Lines implements Conversation {
    private final Channel channel;
    private final ArrayDeque<Exchange> open = new ArrayDeque<>();

    Lines(Channel channel) {
      this.channel = channel;
    }

    @Override
    public void advance(Side side) {
      Inflow inflow = channel.inflow(side);
      while (true) {
        int end = inflow.indexOf('\n', 0);
        if (end < 0) {
          return;
        }
        String line = inflow.latin1(0, end);
        Piece first = inflow.piece(0);
        Piece last = inflow.piece(end);
        inflow.consume(end + 1);
        if (side == Side.REQUESTS) {
          if (line.isEmpty() || line.charAt(0) != letter) {
            channel.mistaken();
            return;
          }
          Exchange exchange = new Exchange(name, line, first).head(last);
          open.add(exchange);
          channel.opened(exchange);
        } else if (open.isEmpty()) {
          channel.lost(Lost.NO_REQUEST);
        } else {
          channel.ended(open.remove().complete(last));
          if (line.startsWith("=")) {
            channel.switched();
            return;
          }
        }
      }
    }

    @Override
    public void end(Piece by) {
      open.forEach(each -> channel.ended(each.broken(by)));
      open.clear();
    }

    @Override
    public boolean isOpen() {
      return !open.isEmpty();
    }
  }
}
