/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.demo.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Executor;

/** What the services in Java have in common: an HTTP server, answers, and lines in a log. */
final class Serving {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  private Serving() {}

  /** The answer of a service to a request. */
  record Reply(int status, String text) {}

  /** What a service does for the request of that number. */
  @FunctionalInterface
  interface Work {
    Reply reply(String path, String number) throws IOException, InterruptedException;
  }

  /** Serves on a free port, and says on standard output on which. */
  static void serve(Executor executor, Work work) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(executor);
    server.createContext("/", exchange -> handle(exchange, work));
    server.start();
    System.out.println("listening on " + server.getAddress().getPort());
  }

  private static void handle(HttpExchange exchange, Work work) throws IOException {
    String query = exchange.getRequestURI().getQuery();
    String number = query == null ? "0" : query.replaceFirst("^id=", "");
    String path = exchange.getRequestURI().getPath();
    Reply reply;
    try {
      reply = work.reply(path, number);
    } catch (IOException | RuntimeException e) {
      log("ERROR", "request " + number + ": " + path + " failed: " + e.getMessage());
      reply = new Reply(502, "failed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reply = new Reply(503, "ending");
    }
    byte[] body = reply.text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  /** A line as loggers write it, in one write. */
  static void log(String level, String message) {
    System.out.println(
        LocalTime.now(ZoneId.systemDefault()).format(TIME)
            + " ["
            + Thread.currentThread().getName()
            + "] "
            + level
            + " shop - "
            + message);
  }
}
