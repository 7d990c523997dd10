/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A connection as those see it that name its ends alike: mostly both sides of it; behind address
 * translation one side, and the other side is a connection of its own.
 */
final class Connection {
  /**
   * @param place the host or process that the ends mean something on; empty if they mean the same
   *     everywhere
   * @param number 0 where it has addresses
   */
  record Key(
      @Nullable InetSocketAddress client,
      @Nullable InetSocketAddress server,
      String place,
      long number) {

    /** Neighbours have neighbouring ports, which their sum with an address does not tell apart. */
    @Override
    public int hashCode() {
      return (mixed(client) * 31 + mixed(server)) * 31 + place.hashCode() + Long.hashCode(number);
    }

    private static int mixed(@Nullable InetSocketAddress end) {
      return end == null ? 0 : (end.hashCode() - end.getPort()) * 0x9E3779B1 + end.getPort();
    }
  }

  final Key key;
  final Timeline clients = new Timeline();
  final Timeline servers = new Timeline();

  /** What speaks for connections of the other side to be the same, where this is a server's. */
  final Map<Connection, Double> evidence = new HashMap<>(0);

  /** Of the side that came first. */
  final Host host;

  private boolean hadClients;
  private boolean hadServers;

  /** The connection that this is on the other side of the translation. */
  @Nullable Connection partner;

  /** For how many exchanges nothing was found, without a break. */
  int failures;

  /** For how many exchanges the partner had nothing, without a break. */
  int misses;

  Connection(Key key, Host host) {
    this.key = key;
    this.host = host;
  }

  void add(Half half) {
    hadServers |= half.server;
    hadClients |= !half.server;
    (half.server ? servers : clients).add(half);
  }

  void remove(Half half) {
    (half.server ? servers : clients).remove(half);
  }

  boolean hasBothSides() {
    return hadClients && hadServers;
  }
}
