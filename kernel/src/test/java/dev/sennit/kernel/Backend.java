/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** Keeps the headers of each path that it was asked for. */
final class Backend implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, List<String>> headers = new ConcurrentHashMap<>();
  private final Map<String, Headers> all = new ConcurrentHashMap<>();

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
          all.put(exchange.getRequestURI().getPath(), exchange.getRequestHeaders());
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

  /** The traceparent headers of the request for each path. */
  Map<String, List<String>> headers() {
    return headers;
  }

  /** The values of any header of the request for a path. */
  List<String> values(String path, String name) {
    return all.getOrDefault(path, new Headers()).getOrDefault(name, List.of());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
