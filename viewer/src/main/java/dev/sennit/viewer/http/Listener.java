/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.http;

import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Listens on one address for HTTP/1.1, and for HTTP/2 by clients that know that it is spoken. */
public final class Listener implements AutoCloseable {
  /**
   * Held here, or its level would be collected with it. What clients do wrong is answered and
   * counted; that they could fill a log with it is nothing to offer.
   */
  private static final Logger HELIDON = Logger.getLogger("io.helidon");

  static {
    HELIDON.setLevel(Level.OFF);
  }

  private final WebServer server;
  private final InetSocketAddress address;

  private Listener(WebServer server, InetSocketAddress address) {
    this.server = server;
    this.address = address;
  }

  /**
   * Begins to listen.
   *
   * @param purpose for the message, if it cannot
   * @param address port 0 for any that is free
   * @throws IOException naming the purpose and the address, if that cannot be listened on
   */
  public static Listener start(
      String purpose, InetSocketAddress address, HttpRouting.Builder routing, ListenerLimits limits)
      throws IOException {
    tryToBind(purpose, address);
    WebServer server =
        WebServer.builder()
            .bindAddress(address)
            .routing(routing)
            .connectionSelectors(List.of(new ConnectionSelector(limits)))
            .protocolsDiscoverServices(false)
            .featuresDiscoverServices(false)
            .contentEncoding(
                ContentEncodingContext.builder()
                    .contentEncodingsDiscoverServices(false)
                    .addContentEncoding(new UntouchedEncoding())
                    .build())
            .maxPayloadSize(limits.bodyBytes())
            // An answer is several writes; without it they wait for each other's acknowledgement.
            .connectionOptions(options -> options.tcpNoDelay(true))
            .maxTcpConnections(limits.connections())
            .idleConnectionTimeout(limits.idle())
            .idleConnectionPeriod(limits.idle().dividedBy(4))
            .shutdownGracePeriod(limits.grace())
            .shutdownHook(false)
            .build();
    server.start();
    if (!server.isRunning()) {
      throw new IOException(purpose + " cannot listen on " + text(address));
    }
    return new Listener(server, new InetSocketAddress(address.getAddress(), server.port()));
  }

  /** Helidon tells a log why it cannot listen, and its caller only that it does not. */
  private static void tryToBind(String purpose, InetSocketAddress address) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    } catch (IOException e) {
      throw new IOException(
          purpose + " cannot listen on " + text(address) + ": " + e.getMessage(), e);
    }
  }

  private static String text(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }

  /** The address with the port that it has in fact. */
  public InetSocketAddress address() {
    return address;
  }

  /** Accepts nothing more and gives running requests their grace. */
  @Override
  public void close() {
    server.stop();
  }
}
