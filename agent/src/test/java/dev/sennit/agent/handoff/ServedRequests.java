/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends numbered requests to a server in this JVM, many at a time, and counts what its work found
 * current: the request that it was for, none, or another. A request's number is its span.
 */
final class ServedRequests {
  private static final int REQUESTS = 1_200;
  private static final int AT_A_TIME = 20;

  private static final AtomicInteger RIGHT = new AtomicInteger();
  private static final AtomicInteger NONE = new AtomicInteger();
  private static final AtomicInteger WRONG = new AtomicInteger();

  private ServedRequests() {}

  /** What a kernel would have said of the request that a handler has just been given. */
  static long begin(String uri) {
    long number = Long.parseLong(uri.substring(1));
    ContextApi.setOtel(1, number, number, 1);
    return number;
  }

  static void check(long request) {
    ContextSnapshot snapshot = new ContextSnapshot();
    long now = ContextApi.get(snapshot) ? snapshot.spanId() : 0;
    (now == request ? RIGHT : now == 0 ? NONE : WRONG).incrementAndGet();
  }

  /** Sends them all, prints the figures and ends the JVM. */
  static void sendTo(int port) throws Exception {
    List<Callable<@Nullable Object>> clients = new ArrayList<>();
    AtomicInteger next = new AtomicInteger();
    for (int i = 0; i < AT_A_TIME; i++) {
      clients.add(() -> client(port, next));
    }
    try (ExecutorService drivers = Executors.newFixedThreadPool(AT_A_TIME)) {
      for (Future<?> done : drivers.invokeAll(clients)) {
        done.get();
      }
    }
    System.out.println("right " + RIGHT.get());
    System.out.println("none " + NONE.get());
    System.out.println("wrong " + WRONG.get());
    System.exit(0);
  }

  private static @Nullable Object client(int port, AtomicInteger next) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      int number = next.incrementAndGet();
      while (number <= REQUESTS) {
        String request = "GET /" + number + " HTTP/1.1\r\nHost: here\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        String answer = head(socket.getInputStream());
        if (!answer.startsWith("HTTP/1.1 200 ")) {
          throw new IOException(number + ": " + answer);
        }
        number = next.incrementAndGet();
      }
    }
    return null;
  }

  /** Responses have no body. */
  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int value = in.read();
      if (value < 0) {
        throw new IOException("the connection has ended after: " + head);
      }
      head.append((char) value);
    }
    return head.toString();
  }
}
