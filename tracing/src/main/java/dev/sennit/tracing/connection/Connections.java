/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.connection;

import dev.sennit.tracing.Counters;
import dev.sennit.tracing.exchange.ExchangeListener;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.RequestIds;
import dev.sennit.tracing.traffic.TrafficEvent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All connections that are heard of. Takes events on one thread and tells of the exchanges in them;
 * only the counters may be read on others.
 */
public final class Connections implements Consumer<TrafficEvent> {
  private static final int USUAL = 1024;

  /** So many of those that were silent for longest are looked at for one that may be forgotten. */
  private static final int MOST_CANDIDATES = 1024;

  /** The plaintext of a connection is one, what carries it another. */
  private record Key(long number, boolean tls) {}

  private final Map<Key, Connection> connections = new LinkedHashMap<>(USUAL, 0.75f, true);
  private final ExchangeListener listener;
  private final Counters<Lost> lost = new Counters<>(Lost.class);
  private List<Protocol> protocols;
  private ConnectionLimits limits;
  private long held;

  public Connections(List<Protocol> protocols, ConnectionLimits limits, ExchangeListener listener) {
    this.protocols = List.copyOf(protocols);
    this.limits = limits;
    this.listener = listener;
  }

  /** Goes on by other settings; connections that are followed already go on as they began. */
  public void change(List<Protocol> newProtocols, ConnectionLimits newLimits) {
    protocols = List.copyOf(newProtocols);
    limits = newLimits;
  }

  @Override
  public void accept(TrafficEvent event) {
    switch (event) {
      case TrafficEvent.Opened(Flow flow, Piece by) -> {
        // Of a socket that has no number of its own the number may have been another one's.
        if (flow.number() < 0) {
          end(flow, by);
        }
        if (find(flow) == null) {
          add(flow, true);
        }
      }
      case TrafficEvent.Moved(Flow flow, boolean written, Piece piece, byte[] bytes, long size) -> {
        Connection connection = of(flow);
        held -= connection.held();
        connection.moved(flow, written, piece, bytes, size);
        held += connection.held();
        tidy(piece);
      }
      case TrafficEvent.Sent(Flow flow, long size) -> {
        Connection connection = find(flow);
        if (connection != null) {
          held -= connection.held();
          connection.sent(size);
          held += connection.held();
        }
      }
      case TrafficEvent.Decided(Flow flow, var ids) -> {
        Connection connection = find(flow);
        if (connection != null) {
          connection.decided(ids);
        }
        if (ids.source() == RequestIds.Source.INJECTED && ids.ids() != null) {
          listener.injected(ids.ids());
        }
      }
      case TrafficEvent.Closed(Flow flow, Piece by) -> end(flow, by);
      case TrafficEvent.Ended(Piece by) -> endAll(by);
    }
  }

  private Connection of(Flow flow) {
    Connection connection = find(flow);
    return connection == null ? add(flow, flow.tls()) : connection;
  }

  private @Nullable Connection find(Flow flow) {
    return connections.get(new Key(flow.number(), flow.tls()));
  }

  private Connection add(Flow flow, boolean whole) {
    Connection connection =
        new Connection(flow, whole, protocols, limits.bytesPerSide(), listener, lost);
    connections.put(new Key(flow.number(), flow.tls()), connection);
    while (connections.size() > limits.connections()) {
      evict(new Piece(0, 0, 0));
    }
    return connection;
  }

  private void tidy(Piece piece) {
    while (held > limits.bytes() && connections.size() > 1) {
      evict(piece);
    }
  }

  /**
   * Forgets the one that was silent for longest; of those that wait for nothing, if there is one.
   */
  private void evict(Piece by) {
    Iterator<Connection> eldestFirst = connections.values().iterator();
    Connection eldest = eldestFirst.next();
    Connection chosen = eldest;
    for (int i = 0; i < MOST_CANDIDATES && chosen.isOpen() && eldestFirst.hasNext(); i++) {
      chosen = eldestFirst.next();
    }
    if (chosen.isOpen() || !eldestFirst.hasNext()) {
      chosen = eldest;
    }
    lost.add(Lost.EVICTED);
    remove(chosen, by);
  }

  private void remove(Connection connection, Piece by) {
    Flow flow = connection.flow();
    connections.remove(new Key(flow.number(), flow.tls()));
    held -= connection.held();
    connection.end(by);
  }

  /** What a process that never moved its bytes closes goes on in another. */
  private void end(Flow flow, Piece by) {
    for (boolean tls : new boolean[] {true, false}) {
      Connection connection = connections.get(new Key(flow.number(), tls));
      if (connection != null && (connection.movedBy(by.pid()) || connection.movedBy(0))) {
        remove(connection, by);
      }
    }
  }

  private void endAll(Piece by) {
    List<Connection> ended = new ArrayList<>();
    for (Connection connection : connections.values()) {
      if (connection.movedBy(by.pid())) {
        ended.add(connection);
      }
    }
    ended.forEach(each -> remove(each, by));
  }

  /** How many connections are followed. */
  public int size() {
    return connections.size();
  }

  /** How many bytes wait to be understood. */
  public long held() {
    return held;
  }

  public Counters<Lost> lost() {
    return lost;
  }
}
