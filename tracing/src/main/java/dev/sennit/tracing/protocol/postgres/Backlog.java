/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.postgres;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Footing;
import dev.sennit.tracing.protocol.InStep;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.protocol.postgres.Asked.Kind;
import dev.sennit.tracing.traffic.Piece;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was asked and is not answered yet, in its order. The server answers in that order; after an
 * error it passes over everything until the client synchronises.
 */
final class Backlog {
  private static final int MOST_OPEN = 1024;
  private static final int MOST = 4 * MOST_OPEN;

  /** Commands whose end is told under their own name, always. */
  private static final Set<String> CERTAIN =
      Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "BEGIN", "SET", "SHOW", "COPY");

  private final Channel channel;
  private final ArrayDeque<Asked> open = new ArrayDeque<>();
  private final InStep inStep = new InStep();

  /**
   * The statement that was executed last: an error at the end of its transaction, which is told
   * with the answer to Sync, is its own.
   */
  private @Nullable Asked executed;

  private boolean failed;
  private int exchanges;
  private int ready;

  Backlog(Channel channel) {
    this.channel = channel;
  }

  boolean isEmpty() {
    return open.isEmpty() && executed == null;
  }

  void add(Asked asked) {
    if (asked.endsWhenReady()) {
      inStep.asked(ready);
      ready++;
    }
    if (asked.exchange == null) {
      open.add(asked);
    } else if (exchanges < MOST_OPEN) {
      exchanges++;
      open.add(asked);
      if (asked.kind != Kind.PREPARE) {
        channel.opened(asked.exchange);
      }
    } else {
      channel.lost(Lost.TOO_MANY_OPEN);
      addUnheld(asked.kind);
    }
    if (open.size() > MOST) {
      giveUp(channel.inflow(Side.RESPONSES).last());
    }
  }

  private void addUnheld(Kind kind) {
    Asked last = open.peekLast();
    if (kind == Kind.EXECUTE
        && last != null
        && last.kind == Kind.EXECUTE
        && last.exchange == null) {
      last.count++;
    } else {
      open.add(new Asked(kind, null, null));
    }
  }

  /** Bytes of an answer to what is asked first. */
  void received(long bytes) {
    Asked first = open.peekFirst();
    if (first != null) {
      first.responseBytes += bytes;
    }
  }

  /** More bytes of what was asked last. */
  void sent(long bytes) {
    Asked last = open.peekLast();
    if (last != null && last.kind == Kind.QUERY) {
      last.requestBytes += bytes;
    }
  }

  /** A statement is done. */
  void completed(String tag, Piece piece) {
    agree(tag, piece);
    Asked first = open.peekFirst();
    if (first == null) {
      channel.lost(Lost.NO_REQUEST);
    } else if (first.kind == Kind.EXECUTE) {
      if (--first.count == 0) {
        open.removeFirst();
        if (first.exchange != null) {
          first.exchange.complete(piece);
        }
        endExecuted();
        executed = first;
      }
    }
  }

  /** If another one must be meant, those before it were answered and that was not seen. */
  private void agree(String tag, Piece piece) {
    String verb = firstWord(tag);
    Asked first = open.peekFirst();
    if (first == null || verb.isEmpty() || !contradicts(first, verb)) {
      return;
    }
    for (Asked asked : open) {
      if (asked.verb.equals(verb)) {
        channel.lost(Lost.GAP);
        while (open.peekFirst() != asked) {
          broken(remove(), piece);
        }
        return;
      }
    }
  }

  private static boolean contradicts(Asked asked, String verb) {
    return CERTAIN.contains(asked.verb) && !asked.verb.equals(verb);
  }

  static String firstWord(@Nullable String text) {
    if (text == null) {
      return "";
    }
    int space = text.indexOf(' ');
    return (space < 0 ? text : text.substring(0, space)).toUpperCase(Locale.ROOT);
  }

  void failed(@Nullable String state, Piece piece) {
    Asked first = open.peekFirst();
    if (first == null) {
      // The server may end a connection, or refuse it, whatever was asked.
      return;
    }
    failed = true;
    switch (first.kind) {
      case QUERY -> {
        first.failed = true;
        fail(first.exchange, state);
      }
      case EXECUTE -> {
        open.removeFirst();
        endExecuted();
        fail(first.exchange, state);
        end(first, piece);
      }
      case PREPARE -> {
        open.removeFirst();
        if (first.exchange != null) {
          channel.opened(first.exchange);
          fail(first.exchange, state);
          end(first, piece);
        }
      }
      case SYNC -> {
        if (executed != null) {
          fail(executed.exchange, state);
        }
      }
    }
  }

  private static void fail(@Nullable Exchange exchange, @Nullable String state) {
    if (exchange != null && exchange.errorType() == null) {
      exchange.put("db.response.status_code", state).failed(state == null ? "_OTHER" : state);
    }
  }

  /** The server waits for the next request: all is answered up to the first that ends so. */
  void ready(Piece piece) {
    endExecuted();
    if (open.isEmpty()) {
      inStep.unasked();
    }
    while (!open.isEmpty()) {
      Asked asked = remove();
      if (asked.kind == Kind.EXECUTE && failed) {
        // The server never came to it.
        fail(asked.exchange, null);
      }
      if (asked.kind != Kind.PREPARE) {
        end(asked, piece);
      } else if (asked.exchange != null) {
        exchanges--;
      }
      if (asked.endsWhenReady()) {
        break;
      }
    }
    failed = false;
    int lost = inStep.answered(ready);
    if (lost > 0) {
      channel.lost(Lost.GAP);
      int left = ready - lost;
      while (ready > left) {
        broken(remove(), piece);
      }
    }
  }

  /** In copying, the server ignores that the client has synchronised already. */
  void copyBegun() {
    Iterator<Asked> each = open.iterator();
    if (!each.hasNext() || each.next().kind != Kind.EXECUTE) {
      return;
    }
    while (each.hasNext()) {
      if (each.next().kind == Kind.SYNC) {
        each.remove();
        ready--;
        return;
      }
    }
  }

  /** What is asked first is answered as far as it will be followed. */
  void leave(Piece piece) {
    if (!open.isEmpty()) {
      end(remove(), piece);
    }
  }

  /** The answers to all that is open will not be understood. */
  void giveUp(Piece piece) {
    endExecuted();
    while (!open.isEmpty()) {
      broken(remove(), piece);
    }
    failed = false;
  }

  /** The connection ends. */
  void end(Piece by, Footing footing) {
    for (Asked asked : open) {
      if (asked.exchange != null && asked.kind != Kind.PREPARE) {
        footing.close(asked.exchange);
      }
    }
    giveUp(by);
  }

  private Asked remove() {
    Asked asked = open.removeFirst();
    if (asked.endsWhenReady()) {
      ready--;
    }
    return asked;
  }

  private void endExecuted() {
    Asked asked = executed;
    executed = null;
    if (asked != null && asked.exchange != null) {
      end(asked, asked.exchange.end());
    }
  }

  private void end(Asked asked, Piece piece) {
    Exchange exchange = asked.exchange;
    if (exchange != null) {
      exchanges--;
      exchange.sizes(asked.requestBytes, asked.responseBytes).complete(piece);
      channel.ended(exchange);
    }
  }

  private void broken(Asked asked, Piece piece) {
    Exchange exchange = asked.exchange;
    if (exchange == null) {
      return;
    }
    exchanges--;
    if (asked.kind == Kind.PREPARE) {
      return;
    }
    exchange.sizes(asked.requestBytes, asked.responseBytes);
    channel.ended(asked.failed ? exchange.complete(piece) : exchange.broken(piece));
  }
}
