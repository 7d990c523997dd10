/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.protocol.http.HttpAttributes;
import dev.sennit.tracing.protocol.http.RequestHead;
import dev.sennit.tracing.protocol.http1.Pairing.Answer;
import dev.sennit.tracing.protocol.http1.Pairing.Asked;
import dev.sennit.tracing.protocol.http2.Http2Protocol;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import org.jspecify.annotations.Nullable;

/** A connection that speaks HTTP/1. */
final class Http1Conversation implements Conversation {
  /** Of a client's request to which no response came before the connection ended. */
  private static final String CLOSED = "connection_closed";

  private final Channel channel;
  private final HttpAttributes attributes;
  private final Pairing pairing;
  private final MessageStream requests;
  private final MessageStream responses;
  private @Nullable Asked asking;
  private @Nullable Answer answering;
  private @Nullable Piece lastRequestEnd;
  private @Nullable Conversation upgraded;
  private boolean understood;
  private boolean lossy;
  private boolean over;

  Http1Conversation(Channel channel, HttpAttributes attributes) {
    this.channel = channel;
    this.attributes = attributes;
    this.pairing = new Pairing(channel);
    this.requests =
        new MessageStream(channel.inflow(Side.REQUESTS), new Requests(), channel.isWhole());
    this.responses =
        new MessageStream(channel.inflow(Side.RESPONSES), new Responses(), channel.isWhole());
  }

  @Override
  public void advance(Side side) {
    if (upgraded != null) {
      upgraded.advance(side);
      return;
    }
    while (!over) {
      MessageStream first = isResponseNext() ? responses : requests;
      if (!first.step() && (over || !(first == requests ? responses : requests).step())) {
        break;
      }
    }
    if (upgraded != null) {
      upgraded.advance(Side.REQUESTS);
      upgraded.advance(Side.RESPONSES);
    }
  }

  /** What came first is understood first, as far as it can be. */
  private boolean isResponseNext() {
    if (!requests.hasBytes() || !responses.hasBytes()) {
      return responses.hasBytes();
    }
    return responses.inflow().piece(0).time() < requests.inflow().piece(0).time();
  }

  @Override
  public void end(Piece by) {
    if (upgraded != null) {
      upgraded.end(by);
      return;
    }
    if (over) {
      return;
    }
    if (answering != null) {
      finishAnswer(responses.inflow().last(), responses.isUntilEnd());
    }
    pairing.end(by, channel.isServer() || lossy ? null : CLOSED);
    over = true;
  }

  @Override
  public boolean isOpen() {
    return upgraded != null ? upgraded.isOpen() : pairing.isOpen();
  }

  private void lose(Lost reason) {
    lossy = true;
    channel.lost(reason);
    if (!understood) {
      over = true;
      channel.mistaken();
    }
  }

  private void finishAnswer(Piece last, boolean complete) {
    Answer answer = answering;
    answering = null;
    if (answer != null) {
      pairing.answered(answer, last, responses.bodySize(), complete);
    }
  }

  private static String wholeLines(String text) {
    int end = text.lastIndexOf('\n');
    return end < 0 ? text : text.substring(0, end + 1);
  }

  private final class Requests implements MessageStream.Listener {
    @Override
    public Likeness begins(Inflow bytes) {
      return StartLine.request(bytes, 0);
    }

    @Override
    public boolean beginsRather(Inflow bytes, int at) {
      // Whatever is before a method makes another method, of which all but a few are unheard of.
      return StartLine.request(bytes, at) == Likeness.CLEAR
          && StartLine.hasUsualMethod(bytes, at)
          && !StartLine.hasUsualMethod(bytes, 0);
    }

    @Override
    public @Nullable Body head(String text, boolean whole, Piece begin, Piece end) {
      Head head = Head.ofRequest(whole ? text : wholeLines(text));
      RequestHead request = head.request();
      if (request == null || head.isMalformed()) {
        return null;
      }
      understood = true;
      boolean glued = begin == lastRequestEnd;
      if (answering != null && !glued && !pairing.isPipelined()) {
        // The client goes on, so the response is over; what would have said so was not seen.
        if (responses.isInBody()) {
          lossy = true;
          channel.lost(Lost.GAP);
        }
        Piece last = responses.inflow().skipped();
        responses.resynchronise();
        finishAnswer(last, true);
      }
      Exchange exchange = attributes.exchange(request, channel, begin).head(end);
      Asked asked = new Asked(exchange, head, request.method());
      asking = asked;
      pairing.asked(asked, glued);
      if (request.method().equals("CONNECT")) {
        requests.hold();
        return Body.EMPTY;
      }
      if (head.isUpgrade()) {
        requests.hold();
      }
      return head.body();
    }

    @Override
    public void ended(Piece last, long bodySize) {
      lastRequestEnd = last;
      if (asking != null) {
        asking.bodySize(bodySize);
      }
      asking = null;
    }

    @Override
    public void lost(Lost reason) {
      asking = null;
      lose(reason);
    }
  }

  private final class Responses implements MessageStream.Listener {
    @Override
    public Likeness begins(Inflow bytes) {
      return StartLine.response(bytes, 0);
    }

    @Override
    public boolean beginsRather(Inflow bytes, int at) {
      return StartLine.response(bytes, at) == Likeness.CLEAR && begins(bytes) != Likeness.CLEAR;
    }

    @Override
    public @Nullable Body head(String text, boolean whole, Piece begin, Piece end) {
      Head head = Head.ofResponse(whole ? text : wholeLines(text));
      if (head.isMalformed()) {
        return null;
      }
      understood = true;
      if (answering != null) {
        finishAnswer(responses.inflow().skipped(), true);
      }
      int status = head.status();
      if (status < 200 && status != 101) {
        return Body.EMPTY;
      }
      Answer answer = pairing.answer(status, begin);
      answering = answer;
      Asked to = answer.to();
      if (to != null && switches(head, to, end)) {
        return Body.EMPTY;
      }
      requests.release();
      boolean empty = status == 101 || status == 204 || status == 304;
      return empty || (to != null && to.method().equals("HEAD")) ? Body.EMPTY : head.body();
    }

    private boolean switches(Head head, Asked to, Piece end) {
      int status = head.status();
      boolean tunnel = to.method().equals("CONNECT") && status >= 200 && status < 300;
      if (!tunnel && status != 101) {
        return false;
      }
      over = true;
      if (status == 101 && head.isUpgradeToHttp2()) {
        // RFC 7540, section 3.2: the response to this very request comes as that of stream 1.
        answering = null;
        pairing.takeOver(to, end);
        upgraded =
            Http2Protocol.upgraded(channel, attributes, to.exchange(), to.head().http2Settings());
      }
      return true;
    }

    @Override
    public void ended(Piece last, long bodySize) {
      Asked to = answering == null ? null : answering.to();
      finishAnswer(last, true);
      if (over) {
        leave(last);
      } else if (to != null && to == asking && requests.isInBody()) {
        // Whether the rest of the body still comes is not certain, nor where the next one begins.
        asking = null;
        requests.resynchronise();
      }
    }

    private void leave(Piece last) {
      if (upgraded == null) {
        pairing.end(last, null);
        channel.switched();
      }
    }

    @Override
    public void lost(Lost reason) {
      lose(reason);
      if (over && answering != null) {
        Piece last = responses.inflow().skipped();
        finishAnswer(last, true);
        leave(last);
      }
    }
  }
}
