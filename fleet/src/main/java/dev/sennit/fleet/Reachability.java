/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Utils;

/** Whether there is anybody to ask: Kafka's clients try for a minute, and do not say whom. */
final class Reachability {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private Reachability() {}

  /**
   * Returns if one of the brokers can be reached.
   *
   * @throws IOException with one line that names them all, and what each time went wrong
   */
  static void check(String bootstrap) throws IOException {
    List<String> failures = new ArrayList<>();
    for (String broker : bootstrap.split(",")) {
      String host = Utils.getHost(broker);
      Integer port = Utils.getPort(broker);
      if (host == null || port == null) {
        throw new IOException(broker + " is not HOST:PORT");
      }
      try (Socket socket = new Socket()) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (!address.isUnresolved()) {
          socket.connect(address, Math.toIntExact(PATIENCE.toMillis()));
          return;
        }
        failures.add(broker + " (no such host)");
      } catch (IOException | IllegalArgumentException e) {
        failures.add(broker + " (" + e.getMessage() + ")");
      }
    }
    throw new IOException("no broker can be reached: " + String.join(", ", failures));
  }
}
