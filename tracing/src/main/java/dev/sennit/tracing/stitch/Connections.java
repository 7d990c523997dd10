/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.Recent;
import dev.sennit.tracing.span.Ends;
import dev.sennit.tracing.span.Span;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The halves that can still be compared, by their connections. */
final class Connections {
  /** With so many neighbours on either side a new half votes for an offset of the clocks. */
  private static final int NEIGHBOURS = 8;

  /** Clocks that are known drift slowly, so that some of the votes are enough. */
  private static final long MASK_IF_KNOWN = 7;

  private static final int MOST_HOSTS = 4096;

  private final int capacity;
  private final long skew;
  private final Translations translations;
  private final Recent<Connection.Key, Connection> connections;
  private final Recent<String, Host> hosts = new Recent<>(MOST_HOSTS);

  /** All halves, in the order in which they came. */
  private final Deque<Half> halves = new ArrayDeque<>();

  Connections(StitcherSettings settings, Translations translations) {
    this.capacity = 2 * settings.heldSpans();
    this.skew = settings.skew().toNanos();
    this.translations = translations;
    this.connections = new Recent<>(settings.rememberedConnections());
  }

  Half add(Span span) {
    String name = Half.nameOfHost(span);
    Host host = hosts.computeIfAbsent(name, absent -> new Host(skew));
    Connection connection =
        connections.computeIfAbsent(key(span.ends(), name), key -> new Connection(key, host));
    Half half = new Half(span, host, connection);
    connection.add(half);
    if (connection.hasBothSides()) {
      vote(half, half.server ? connection.clients : connection.servers);
    } else {
      half.alone = true;
      translations.add(half);
    }
    halves.add(half);
    if (halves.size() > capacity) {
      remove(halves.element());
    }
    return half;
  }

  /** Names that mean the same on both sides; addresses of the loopback mean it on a host only. */
  private static Connection.Key key(Ends ends, String host) {
    InetSocketAddress client = ends.client();
    InetSocketAddress server = ends.server();
    if (client == null || server == null) {
      return new Connection.Key(client, server, host, ends.connection());
    }
    return new Connection.Key(client, server, isLocal(server) ? host : "", 0);
  }

  private static boolean isLocal(@Nullable InetSocketAddress end) {
    return end != null && end.getAddress() != null && end.getAddress().isLoopbackAddress();
  }

  private void vote(Half half, Timeline others) {
    if (others.size() == 0 || others.get(0).host == half.host) {
      return;
    }
    Host other = others.get(0).host;
    OffsetVotes votes = half.server ? other.votes(half.host) : half.host.votes(other);
    ClockOffset offset = votes.offset();
    if (offset.known() && (half.ids.spanId() & MASK_IF_KNOWN) != 0) {
      return;
    }
    long usual = (offset.least() + offset.most()) / 2;
    int middle = others.countUntil(half.server ? half.start - usual : half.start + usual);
    int last = Math.min(others.size(), middle + NEIGHBOURS);
    for (int i = Math.max(0, middle - NEIGHBOURS); i < last; i++) {
      if (half.server) {
        votes.vote(others.get(i), half);
      } else {
        votes.vote(half, others.get(i));
      }
    }
  }

  /** Forgets what ended before this time. */
  void forgetUntil(long time) {
    for (Half half = halves.peek(); half != null && half.end < time; half = halves.peek()) {
      remove(half);
    }
  }

  private void remove(Half half) {
    halves.remove();
    half.connection.remove(half);
    if (half.alone) {
      translations.remove(half);
    }
  }

  int size() {
    return halves.size();
  }
}
