/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sennit.context.thread.ThreadContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/**
 * A service that asks another on the thread that read the request, on one of a pool, or on a
 * virtual thread; the latter two may say whose request they work for.
 */
final class HandOffService {
  private static final CloseableHttpClient CLIENT =
      HttpClients.custom()
          .setConnectionManager(
              PoolingHttpClientConnectionManagerBuilder.create()
                  .setMaxConnTotal(64)
                  .setMaxConnPerRoute(64)
                  .build())
          .build();

  private HandOffService() {}

  public static void main(String[] arguments) throws IOException {
    int backend = Integer.parseInt(arguments[0]);
    boolean puts = arguments[2].equals("put");
    ExecutorService workers =
        switch (arguments[1]) {
          case "pool" -> Executors.newFixedThreadPool(8);
          case "virtual" -> Executors.newVirtualThreadPerTaskExecutor();
          default -> null;
        };
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    server.setExecutor(Executors.newFixedThreadPool(32));
    server.createContext(
        "/",
        exchange -> {
          if (workers == null) {
            ask(exchange, backend);
          } else {
            try {
              workers.submit(() -> work(exchange, backend, puts)).get();
            } catch (InterruptedException | ExecutionException e) {
              throw new IOException(e);
            }
          }
          byte[] body = "done".getBytes(StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    System.out.println("port " + server.getAddress().getPort());
  }

  private static Void work(HttpExchange exchange, int backend, boolean puts) throws IOException {
    String traceparent = exchange.getRequestHeaders().getFirst("traceparent");
    try {
      if (puts) {
        // In this mode the root is the trace's, whose first half is zero.
        ThreadContext.current()
            .put(
                HexFormat.fromHexDigitsToLong(traceparent, 36, 52),
                HexFormat.fromHexDigitsToLong(traceparent, 19, 35));
      }
      // A virtual thread goes on elsewhere after this.
      Thread.sleep(2);
      ask(exchange, backend);
    } catch (InterruptedException e) {
      throw new IOException(e);
    } finally {
      if (puts) {
        ThreadContext.current().put(0, 0);
      }
    }
    return null;
  }

  private static void ask(HttpExchange exchange, int backend) throws IOException {
    CLIENT.execute(
        new HttpGet("http://127.0.0.1:" + backend + exchange.getRequestURI()),
        response -> {
          EntityUtils.consume(response.getEntity());
          return null;
        });
  }
}
