/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** A few pages for programs, made anew at each request, by a thread of their own. */
final class HttpPages implements AutoCloseable {
  private static final int BACKLOG = 16;
  private static final String PLAIN = "text/plain; charset=utf-8";

  /** What is answered. */
  record Page(int status, String type, String text) {
    static Page plain(int status, String text) {
      return new Page(status, PLAIN, text);
    }
  }

  private final HttpServer server;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("sennit-metrics").factory());

  private HttpPages(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens at an address such as {@code 127.0.0.1:9464}; port 0 is any that is free.
   *
   * @param pages by their paths
   * @throws IOException with one line that names the address, if it cannot be listened at
   */
  static HttpPages open(String address, Map<String, Supplier<Page>> pages) throws IOException {
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon);
    HttpServer server;
    try {
      InetAddress name = InetAddress.getByName(host);
      int port = Integer.parseInt(address.substring(colon + 1));
      server = HttpServer.create(new InetSocketAddress(name, port), BACKLOG);
    } catch (UnknownHostException e) {
      throw new IOException("there is no host " + host, e);
    } catch (IOException e) {
      throw new IOException("cannot listen at " + address + ": " + e.getMessage(), e);
    }
    HttpPages all = new HttpPages(server);
    server.createContext("/", exchange -> answer(exchange, pages));
    server.setExecutor(all.thread);
    server.start();
    return all;
  }

  /** The address of a page. */
  String url(String path) {
    InetSocketAddress address = server.getAddress();
    String host = address.getAddress().getHostAddress();
    return "http://"
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + address.getPort()
        + path;
  }

  private static void answer(HttpExchange exchange, Map<String, Supplier<Page>> pages)
      throws IOException {
    try (exchange) {
      boolean head = exchange.getRequestMethod().equals("HEAD");
      Supplier<Page> page = pages.get(exchange.getRequestURI().getPath());
      if (page == null) {
        send(exchange, Page.plain(404, "see " + String.join(", ", pages.keySet()) + "\n"), head);
      } else if (!head && !exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, Page.plain(405, "GET only\n"), false);
      } else {
        send(exchange, page.get(), head);
      }
    }
  }

  private static void send(HttpExchange exchange, Page page, boolean head) throws IOException {
    byte[] body = page.text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", page.type);
    exchange.sendResponseHeaders(page.status, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    thread.shutdownNow();
  }
}
