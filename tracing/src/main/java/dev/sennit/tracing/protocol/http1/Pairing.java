/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.http.HttpAttributes;
import dev.sennit.tracing.traffic.Piece;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which response answers which request. HTTP/1 has no numbers for them, only their order; and one
 * that was not seen would shift all that follow. So where several requests wait and it is not known
 * that the client pipelines them, responses are held until either there are as many as requests,
 * which proves it, or the client goes on: then the last requests are those that were answered, for
 * a client that does not pipeline waits for each answer.
 */
final class Pairing {
  private static final int MOST_OPEN = 1024;

  /** A request that was sent. */
  static final class Asked {
    private final Exchange exchange;
    private final Head head;
    private final String method;
    private long bodySize;

    Asked(Exchange exchange, Head head, String method) {
      this.exchange = exchange;
      this.head = head;
      this.method = method;
    }

    Exchange exchange() {
      return exchange;
    }

    Head head() {
      return head;
    }

    String method() {
      return method;
    }

    void bodySize(long size) {
      bodySize = size;
    }
  }

  /** A response that has begun. */
  static final class Answer {
    private final int status;
    private final @Nullable Asked to;
    private final boolean known;
    private @Nullable Piece end;
    private long bodySize;
    private boolean complete;

    private Answer(int status, @Nullable Asked to, boolean known) {
      this.status = status;
      this.to = to;
      this.known = known;
    }

    int status() {
      return status;
    }

    /** The request that it answers, or most probably does; null if none was seen. */
    @Nullable Asked to() {
      return to;
    }
  }

  private final Channel channel;
  private final ArrayDeque<Asked> open = new ArrayDeque<>();
  private final List<Answer> held = new ArrayList<>();
  private boolean pipelines;

  Pairing(Channel channel) {
    this.channel = channel;
  }

  boolean isOpen() {
    return !open.isEmpty();
  }

  /** Whether the client is known to send requests before the answers of earlier ones. */
  boolean isPipelined() {
    return pipelines;
  }

  /**
   * A request was sent.
   *
   * @param glued whether its first byte was moved by the call that moved the last of the one before
   */
  void asked(Asked request, boolean glued) {
    Piece begin = request.exchange().begin();
    settle(begin);
    pipelines = !open.isEmpty() && (pipelines || glued);
    if (open.size() == MOST_OPEN) {
      channel.lost(Lost.TOO_MANY_OPEN);
      breakFirst(MOST_OPEN, begin);
    }
    open.add(request);
    channel.opened(request.exchange());
  }

  /** A response begins, with a byte of this piece. */
  Answer answer(int status, Piece begin) {
    Asked first = open.peekFirst();
    if (first == null || first.exchange().begin().time() > begin.time()) {
      channel.lost(Lost.NO_REQUEST);
      return new Answer(status, null, false);
    }
    boolean known = pipelines || open.size() == 1;
    return new Answer(status, known ? first : probable(), known);
  }

  /** Of several that wait: the next, once a second answer follows the first, else the last. */
  private Asked probable() {
    Iterator<Asked> requests = open.iterator();
    Asked request = open.getLast();
    for (int i = 0; i <= held.size() && !held.isEmpty() && requests.hasNext(); i++) {
      request = requests.next();
    }
    return request;
  }

  /** A response has ended. */
  void answered(Answer answer, Piece end, long bodySize, boolean complete) {
    Asked to = answer.to;
    if (to == null) {
      return;
    }
    answer.end = end;
    answer.bodySize = bodySize;
    answer.complete = complete;
    if (answer.known) {
      if (open.remove(to)) {
        finish(to, answer);
      }
      return;
    }
    held.add(answer);
    if (held.size() == open.size()) {
      pipelines = true;
      settle(end);
    }
  }

  /** Takes a request out that goes on in another protocol. */
  void takeOver(Asked request, Piece by) {
    open.remove(request);
    breakFirst(open.size(), by);
  }

  private void settle(Piece by) {
    if (held.isEmpty()) {
      return;
    }
    breakFirst(open.size() - held.size(), by);
    for (Answer answer : held) {
      Asked request = open.pollFirst();
      if (request != null) {
        finish(request, answer);
      }
    }
    held.clear();
  }

  private void breakFirst(int count, Piece by) {
    for (int i = 0; i < count; i++) {
      Asked request = open.removeFirst();
      channel.lost(Lost.GAP);
      channel.ended(request.exchange().sizes(request.bodySize, 0).broken(by));
    }
  }

  private void finish(Asked request, Answer answer) {
    Exchange exchange = request.exchange();
    HttpAttributes.putStatus(exchange, answer.status, channel.isServer());
    exchange.sizes(request.bodySize, answer.bodySize);
    Piece end = answer.end == null ? exchange.begin() : answer.end;
    channel.ended(answer.complete ? exchange.complete(end) : exchange.broken(end));
  }

  /**
   * The connection has ended.
   *
   * @param error what a request without a response ended with; null if that is not known
   */
  void end(Piece by, @Nullable String error) {
    settle(by);
    while (!open.isEmpty()) {
      Asked request = open.removeFirst();
      Exchange exchange = request.exchange().sizes(request.bodySize, 0).broken(by);
      channel.ended(error == null ? exchange : exchange.failed(error));
    }
  }
}
