/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A collector of profiles by HTTP: the JDK's server, and OpenTelemetry's own classes. */
final class HttpCollector implements Collector {
  static final HttpHandler TAKE = exchange -> answer(exchange, 200, new byte[0]);

  private final BlockingQueue<Integer> received = new LinkedBlockingQueue<>();
  volatile HttpHandler behaviour = TAKE;
  private volatile Interruption interruption = number -> {};
  volatile com.sun.net.httpserver.Headers headers = new com.sun.net.httpserver.Headers();
  volatile String path = "";

  /** The ports at the other end, one for each connection. */
  final Set<Integer> connections = ConcurrentHashMap.newKeySet();

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private HttpCollector(int port, @Nullable TestCertificates certificates) {
    try {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("localhost"), port);
      if (certificates == null) {
        server = HttpServer.create(address, 0);
      } else {
        HttpsServer secure = HttpsServer.create(address, 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(certificates.serverContext()));
        server = secure;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  static HttpCollector start() {
    return new HttpCollector(0, null);
  }

  static HttpCollector start(int port) {
    return new HttpCollector(port, null);
  }

  static HttpCollector startSecure(TestCertificates certificates) {
    return new HttpCollector(0, certificates);
  }

  @Override
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public BlockingQueue<Integer> received() {
    return received;
  }

  @Override
  public void beforeAnswer(Interruption interruption) {
    this.interruption = interruption;
  }

  private void handle(HttpExchange exchange) throws IOException {
    headers = exchange.getRequestHeaders();
    path = exchange.getRequestURI().toString();
    connections.add(exchange.getRemoteAddress().getPort());
    boolean gzip = "gzip".equals(headers.getFirst("Content-Encoding"));
    try (exchange;
        InputStream raw = exchange.getRequestBody();
        InputStream body = gzip ? new GZIPInputStream(raw) : raw) {
      int number = Messages.numberOf(ExportProfilesServiceRequest.parseFrom(body));
      received.add(number);
      interruption.onRequest(number);
      behaviour.handle(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
