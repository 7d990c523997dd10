/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.connection;

import dev.sennit.tracing.Counters;
import dev.sennit.tracing.connection.Detector.Found;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.exchange.ExchangeListener;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.RequestIds;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection: puts its bytes in order, finds out what it speaks, and lets the protocol's
 * conversation advance. What a guess of the protocol says is kept back until an answer bears it
 * out.
 */
final class Connection implements Channel {
  /** A connection that was joined in its midst may be understood later; not for ever. */
  private static final int MOST_ATTEMPTS = 64;

  private static final int MOST_KEPT_BACK = 64;
  private static final byte[] NOTHING = new byte[0];

  private final List<Protocol> protocols;
  private final ExchangeListener listener;
  private final Counters<Lost> lost;
  private final Inflow read;
  private final Inflow written;
  private final List<Exchange> keptBack = new ArrayList<>(0);
  private Flow flow;
  private Detector detector;
  private @Nullable Protocol protocol;
  private @Nullable Conversation conversation;
  private Piece lastWritten = new Piece(0, 0, 0);
  private long lastWrittenSize;
  private long repeats;
  private int lastPid;
  private int attempts;
  private boolean server;
  private boolean whole;
  private boolean believed;
  private boolean ignored;
  private boolean leaving;

  Connection(
      Flow flow,
      boolean whole,
      List<Protocol> protocols,
      int capacity,
      ExchangeListener listener,
      Counters<Lost> lost) {
    this.flow = flow;
    this.whole = whole;
    this.protocols = protocols;
    this.listener = listener;
    this.lost = lost;
    read = new Inflow(capacity);
    written = new Inflow(capacity);
    detector = new Detector(protocols);
  }

  void moved(Flow now, boolean write, Piece piece, byte[] bytes, long size) {
    flow = now;
    lastPid = piece.pid();
    if (!write) {
      take(read, piece, bytes, 0, size, false);
      return;
    }
    long repeated = Math.min(repeats, size);
    repeats -= repeated;
    if (repeated == 0) {
      lastWritten = piece;
    }
    lastWrittenSize = size;
    if (repeated < size || size == 0) {
      int known = (int) Math.min(repeated, bytes.length);
      take(written, piece, bytes, known, size - repeated, true);
    }
  }

  /**
   * What is told before a write is what the process offers. It may go out in part, and then comes
   * again; of what the kernel takes from a file the size is known only now.
   */
  void sent(long size) {
    long missing = size - lastWrittenSize;
    lastWrittenSize = size;
    if (missing < 0) {
      repeats -= missing;
    } else if (missing > 0) {
      take(written, lastWritten, NOTHING, 0, missing, true);
    }
  }

  void decided(RequestIds ids) {
    lastWritten.decided(ids);
  }

  private void take(Inflow inflow, Piece piece, byte[] bytes, int from, long size, boolean write) {
    if (ignored) {
      return;
    }
    inflow.append(piece, bytes, from, bytes.length - from, size);
    if (conversation == null) {
      detect();
    } else {
      advance(conversation, write == server ? Side.RESPONSES : Side.REQUESTS);
    }
  }

  private void detect() {
    Found found = detector.find(read, written, serves(), serverPort());
    if (found != null) {
      protocol = found.protocol();
      server = found.server();
      believed = found.clear();
      Conversation begun = found.protocol().begin(this);
      conversation = begun;
      if (advance(begun, Side.REQUESTS)) {
        advance(begun, Side.RESPONSES);
      }
    } else if (!detector.isUndecided() || read.isBroken() || written.isBroken()) {
      notUnderstood();
    }
  }

  /** Whether the conversation goes on. */
  private boolean advance(Conversation running, Side side) {
    running.advance(side);
    if (!leaving) {
      return true;
    }
    leaving = false;
    conversation = null;
    if (read.size() + written.size() > 0) {
      detect();
    }
    return false;
  }

  private void notUnderstood() {
    lost.add(Lost.UNKNOWN_PROTOCOL);
    read.drop();
    written.drop();
    whole = false;
    ignored = ++attempts >= MOST_ATTEMPTS;
  }

  private @Nullable Boolean serves() {
    return switch (flow.way()) {
      case UNKNOWN -> null;
      case ACCEPTED -> true;
      case CONNECTED -> false;
    };
  }

  private int serverPort() {
    InetSocketAddress end =
        switch (flow.way()) {
          case UNKNOWN -> null;
          case ACCEPTED -> flow.local();
          case CONNECTED -> flow.remote();
        };
    return end == null ? 0 : end.getPort();
  }

  /** Whether this process is the one that has moved the last bytes; 0 stands for nobody. */
  boolean movedBy(int pid) {
    return lastPid == pid;
  }

  void end(Piece by) {
    Conversation running = conversation;
    if (running != null) {
      running.end(by);
    }
    keptBack.clear();
    conversation = null;
    ignored = true;
  }

  boolean isOpen() {
    return conversation != null && conversation.isOpen();
  }

  int held() {
    return read.held() + written.held();
  }

  Flow flow() {
    return flow;
  }

  @Override
  public Inflow inflow(Side side) {
    return (side == Side.REQUESTS) == server ? read : written;
  }

  @Override
  public boolean isServer() {
    return server;
  }

  @Override
  public boolean isTls() {
    return flow.tls();
  }

  @Override
  public @Nullable InetSocketAddress server() {
    return server ? flow.local() : flow.remote();
  }

  @Override
  public @Nullable InetSocketAddress client() {
    return server ? flow.remote() : flow.local();
  }

  @Override
  public boolean isWhole() {
    return whole;
  }

  @Override
  public void opened(Exchange exchange) {
    if (believed) {
      listener.opened(exchange, this, flow);
    }
  }

  @Override
  public void ended(Exchange exchange) {
    if (!believed && exchange.isComplete()) {
      believed = true;
      keptBack.forEach(each -> listener.ended(each, this, flow));
      keptBack.clear();
    }
    if (believed) {
      listener.ended(exchange, this, flow);
    } else if (keptBack.size() < MOST_KEPT_BACK) {
      keptBack.add(exchange);
    } else {
      lost.add(Lost.TOO_MANY_OPEN);
    }
  }

  @Override
  public void lost(Lost reason) {
    lost.add(reason);
  }

  @Override
  public void switched() {
    leaving = true;
    detector = new Detector(protocols);
  }

  @Override
  public void mistaken() {
    leaving = true;
    Protocol wrong = protocol;
    if (wrong != null) {
      detector.exclude(wrong);
    }
    keptBack.clear();
    lost.add(Lost.UNKNOWN_PROTOCOL);
    read.drop();
    written.drop();
  }
}
