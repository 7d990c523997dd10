/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** Keeps the traceparent headers of each path that it was asked for. */
final class Backend implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, List<String>> headers = new ConcurrentHashMap<>();

  Backend() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          headers.put(
              exchange.getRequestURI().getPath(),
              List.copyOf(exchange.getRequestHeaders().getOrDefault("traceparent", List.of())));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** The headers of the request for a path, or null where there was none. */
  Map<String, List<String>> headers() {
    return headers;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
