/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sennit.context.inbound.DescriptorSocket;
import dev.sennit.context.inbound.InboundRequest;
import dev.sennit.context.inbound.InboundSlots;
import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.OsThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/**
 * Answers each request with what the kernel has told the thread that read it: {@code right}, {@code
 * none}, {@code gone} if it was right a moment ago, or what is wrong. Afterwards it prints whether
 * the request is still open.
 */
final class InboundServer {
  private static final int THREADS = 8;

  private final InboundSlots slots;

  private InboundServer(InboundSlots slots) {
    this.slots = slots;
  }

  public static void main(String[] arguments) throws IOException {
    int fd = DescriptorSocket.take(Path.of(arguments[0]));
    InboundServer told = new InboundServer(InboundSlots.map(fd));
    Libc.close(fd);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
    server.setExecutor(Executors.newFixedThreadPool(THREADS));
    server.createContext("/", told::serve);
    server.start();
    System.out.println("port " + server.getAddress().getPort());
  }

  private void serve(HttpExchange exchange) throws IOException {
    int tid = OsThread.id();
    long sequence = slots.sequence(tid);
    byte[] body = compare(exchange, tid, sequence).getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
    System.out.println(slots.isOpen(tid, sequence) ? "still open" : "closed");
  }

  private String compare(HttpExchange exchange, int tid, long sequence) {
    InboundRequest request = new InboundRequest();
    if (!slots.read(tid, sequence, request)) {
      return "none";
    }
    String sent = exchange.getRequestHeaders().getFirst("traceparent");
    boolean right =
        sent.substring(3, 35)
                .equals(String.format("%016x%016x", request.traceIdHigh(), request.traceIdLow()))
            && !sent.substring(36, 52).equals(String.format("%016x", request.spanId()))
            && request.spanId() != 0
            && sent.substring(53).equals(String.format("%02x", request.flags()))
            && !request.shared();
    if (!right) {
      return sent + " was read as " + request;
    }
    return slots.isOpen(tid, sequence) ? "right" : "gone";
  }
}
