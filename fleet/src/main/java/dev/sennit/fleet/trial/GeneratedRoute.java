/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The connections from one host to another, each with one request at a time. */
final class GeneratedRoute {
  /** One end of a connection. */
  record End(String address, int port) {}

  /** A connection, as each of its sides sees it. */
  static final class Wire {
    final End clientToClient;
    final End serverToClient;
    final End clientToServer;
    final End serverToServer;
    private long freeAt;

    Wire(End clientToClient, End serverToClient, End clientToServer, End serverToServer) {
      this.clientToClient = clientToClient;
      this.serverToClient = serverToClient;
      this.clientToServer = clientToServer;
      this.serverToServer = serverToServer;
    }

    void freeAt(long time) {
      freeAt = time;
    }
  }

  private static final int PORT = 8080;

  private final GeneratedHost from;
  private final GeneratedHost to;
  private final boolean serverTranslated;
  private final boolean clientTranslated;
  private final List<Wire> wires = new ArrayList<>();

  /** One in five has its addresses translated, in one of three ways. */
  GeneratedRoute(GeneratedHost from, GeneratedHost to, SplittableRandom random) {
    this.from = from;
    this.to = to;
    int way = random.nextInt(15);
    serverTranslated = way == 0 || way == 2;
    clientTranslated = way == 1 || way == 2;
  }

  boolean isTranslated() {
    return serverTranslated || clientTranslated;
  }

  Wire acquire(long time) {
    for (Wire wire : wires) {
      if (wire.freeAt <= time) {
        wire.freeAt = Long.MAX_VALUE;
        return wire;
      }
    }
    End client = new End(from.address, from.port());
    End server = new End(to.address, PORT);
    Wire wire =
        new Wire(
            client,
            serverTranslated ? new End(to.virtualAddress, PORT) : server,
            clientTranslated ? new End("192.168.1.1", from.port()) : client,
            server);
    wire.freeAt = Long.MAX_VALUE;
    wires.add(wire);
    return wire;
  }
}
