/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sennit.cli.observation.Observation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Where the metrics of an observation can be read in Prometheus' text format. */
public final class MetricsEndpoint implements AutoCloseable {
  /** The value that stands for no endpoint at all. */
  public static final String OFF = "off";

  private static final String PATH = "/metrics";
  private static final int BACKLOG = 16;

  private final HttpServer server;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("sennit-metrics").factory());

  private MetricsEndpoint(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens at an address such as {@code 127.0.0.1:9464}; port 0 is any that is free.
   *
   * @throws IOException with one line that names the address, if it cannot be listened at
   */
  public static MetricsEndpoint open(String address, Observation observation) throws IOException {
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
    MetricsEndpoint endpoint = new MetricsEndpoint(server);
    server.createContext("/", exchange -> answer(exchange, observation));
    server.setExecutor(endpoint.thread);
    server.start();
    return endpoint;
  }

  /** The address of the page. */
  public String url() {
    InetSocketAddress address = server.getAddress();
    String host = address.getAddress().getHostAddress();
    return "http://"
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + address.getPort()
        + PATH;
  }

  private static void answer(HttpExchange exchange, Observation observation) throws IOException {
    try (exchange) {
      boolean head = exchange.getRequestMethod().equals("HEAD");
      if (!exchange.getRequestURI().getPath().equals(PATH)) {
        send(exchange, 404, "text/plain; charset=utf-8", "see " + PATH + "\n", head);
      } else if (!head && !exchange.getRequestMethod().equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, 405, "text/plain; charset=utf-8", "GET only\n", false);
      } else {
        String text = PrometheusText.of(ObservationMetrics.of(observation));
        send(exchange, 200, PrometheusText.CONTENT_TYPE, text, head);
      }
    }
  }

  private static void send(
      HttpExchange exchange, int status, String type, String text, boolean head)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
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
