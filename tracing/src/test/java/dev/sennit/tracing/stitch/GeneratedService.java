/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import dev.sennit.tracing.span.Ends;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A service on a host of its own, with a clock of its own, and the connections that it keeps. */
final class GeneratedService {
  private static final int CONNECTIONS = 16;
  private static final int FIRST_PORT = 32_768;

  final String name;
  final Resource resource;

  /** Every process makes its ids by itself. */
  final SplittableRandom ids;

  /** By how much its clock is ahead. */
  final long skew;

  /** The shortest time that it works for. */
  final double shortestWork;

  final List<Route> routes = new ArrayList<>();
  private final int number;
  private int ports = FIRST_PORT;

  GeneratedService(int number, SplittableRandom random) {
    this.number = number;
    name = "service-" + number;
    resource =
        new Resource(name, Map.of("host.name", AttributeValue.of("host-" + random.nextInt())));
    ids = random.split();
    skew = random.nextLong(-5_000_000, 5_000_001);
    shortestWork = random.nextDouble(300_000, 1_000_000);
  }

  /** A connection, as each of its sides sees it. */
  record Wire(Ends client, Ends server) {}

  /** The connections to another service; what finds none free waits. */
  static final class Route {
    final @Nullable GeneratedService to;
    final Translation translation;
    private final Deque<Wire> free = new ArrayDeque<>();
    private final Deque<Consumer<Wire>> waiting = new ArrayDeque<>();

    Route(@Nullable GeneratedService to, Translation translation) {
      this.to = to;
      this.translation = translation;
    }

    void acquire(Consumer<Wire> user) {
      Wire wire = free.poll();
      if (wire == null) {
        waiting.add(user);
      } else {
        user.accept(wire);
      }
    }

    void release(Wire wire) {
      Consumer<Wire> next = waiting.poll();
      if (next == null) {
        free.add(wire);
      } else {
        next.accept(wire);
      }
    }
  }

  void connect(GeneratedService to, Translation translation, SplittableRandom random) {
    Route route = new Route(to, translation);
    boolean ofServer = translation == Translation.OF_SERVER || translation == Translation.OF_BOTH;
    boolean ofClient = translation == Translation.OF_CLIENT || translation == Translation.OF_BOTH;
    for (int i = 0; i < CONNECTIONS; i++) {
      InetSocketAddress client = at(10, 0, number, ports++);
      InetSocketAddress server = at(10, 0, to.number, 8080);
      route.free.add(
          new Wire(
              new Ends(random.nextLong(), client, ofServer ? at(10, 96, to.number, 80) : server),
              new Ends(
                  random.nextLong(),
                  ofClient ? at(192, 168, 1, FIRST_PORT + random.nextInt(28_000)) : client,
                  server)));
    }
    routes.add(route);
  }

  /** Connections of users, or of services that nobody observes. */
  Route strangers(int connections, boolean theyCall, SplittableRandom random) {
    Route route = new Route(theyCall ? this : null, Translation.NONE);
    for (int i = 0; i < connections; i++) {
      InetSocketAddress there = at(203, 0, 113, theyCall ? FIRST_PORT + i : 443);
      Ends ends =
          theyCall
              ? new Ends(random.nextLong(), there, at(10, 0, number, 8080))
              : new Ends(random.nextLong(), at(10, 0, number, ports++), there);
      route.free.add(new Wire(ends, ends));
    }
    return route;
  }

  private static InetSocketAddress at(int first, int second, int last, int port) {
    try {
      byte[] address = {(byte) first, (byte) second, 0, (byte) last};
      return new InetSocketAddress(InetAddress.getByAddress(address), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
