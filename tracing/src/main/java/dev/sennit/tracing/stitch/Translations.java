/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The halves on connections that only one side knows under their name, because addresses are
 * translated on the way, or because the other side is not observed.
 */
final class Translations {
  private final long skew;
  private final Map<String, Pool> clients = new HashMap<>();
  private final Map<String, Pool> servers = new HashMap<>();

  /**
   * @param skew the largest that is looked for
   */
  Translations(long skew) {
    this.skew = skew;
  }

  void add(Half half) {
    pools(half).computeIfAbsent(half.protocol, absent -> new Pool()).add(half);
  }

  void remove(Half half) {
    Pool pool = pools(half).get(half.protocol);
    if (pool != null) {
      pool.remove(half);
      if (pool.isEmpty()) {
        pools(half).remove(half.protocol);
      }
    }
  }

  private Map<String, Pool> pools(Half half) {
    return half.server ? servers : clients;
  }

  /** All halves of clients that may be around a server's. */
  void around(Half server, Consumer<Half> found) {
    Pool pool = clients.get(server.protocol);
    if (pool != null) {
      pool.around(server, skew, found);
    }
  }

  /** All halves of servers that may be inside of a client's. */
  void inside(Half client, Consumer<Half> found) {
    Pool pool = servers.get(client.protocol);
    if (pool != null) {
      pool.inside(client, skew, found);
    }
  }
}
