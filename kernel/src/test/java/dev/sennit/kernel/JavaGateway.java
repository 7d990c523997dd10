/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.process.ProcessContextPublisher;
import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server that asks another before it answers: on the thread that read the request, or on another,
 * which publishes whose request it works for, or does not ({@code pool}).
 */
final class JavaGateway {
  private JavaGateway() {}

  public static void main(String[] arguments) throws IOException {
    int backend = Integer.parseInt(arguments[0]);
    boolean handsOff = !arguments[1].equals("thread");
    boolean publishes = handsOff && !arguments[1].equals("pool");
    boolean virtual = arguments[1].equals("virtual");
    ExecutorService pool =
        virtual ? Executors.newVirtualThreadPerTaskExecutor() : Executors.newFixedThreadPool(8);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    server.setExecutor(Executors.newFixedThreadPool(8));
    if (publishes) {
      ContextApi.initialize("ctxstorage=" + (virtual ? "otel" : arguments[1]));
      ProcessContextPublisher.publish(
          ProcessContext.builder().resource("service.name", "gateway").build());
    }
    server.createContext(
        "/",
        exchange -> {
          try {
            if (publishes) {
              pool.submit(() -> askInSpan(exchange, backend)).get();
            } else if (handsOff) {
              pool.submit(
                      () -> {
                        ask(exchange, backend);
                        return null;
                      })
                  .get();
            } else {
              ask(exchange, backend);
            }
          } catch (InterruptedException | ExecutionException e) {
            throw new IOException(e);
          }
          byte[] body = "done".getBytes(StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    System.out.println("port " + server.getAddress().getPort());
  }

  /** The parent of what is asked is the span in the request, for a test to compare. */
  private static Void askInSpan(HttpExchange exchange, int backend) throws IOException {
    String traceparent = exchange.getRequestHeaders().getFirst("traceparent");
    ContextApi.setOtel(
        HexFormat.fromHexDigitsToLong(traceparent, 3, 19),
        HexFormat.fromHexDigitsToLong(traceparent, 19, 35),
        HexFormat.fromHexDigitsToLong(traceparent, 36, 52),
        1);
    try {
      // A virtual thread goes on elsewhere after this.
      Thread.sleep(2);
      ask(exchange, backend);
    } catch (InterruptedException e) {
      throw new IOException(e);
    } finally {
      ContextApi.clear();
    }
    return null;
  }

  private static void ask(HttpExchange exchange, int backend) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://127.0.0.1:" + backend + exchange.getRequestURI())
                .toURL()
                .openConnection();
    connection.getInputStream().readAllBytes();
  }
}
