/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.kernel;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A service, or a gateway before one: a thread for each connection, which, in a gateway, keeps one
 * connection of its own to the service.
 */
final class HttpNode {
  private static final byte[] ANSWER =
      ("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 200\r\n\r\n"
              + "x".repeat(200))
          .getBytes(StandardCharsets.US_ASCII);
  private static final byte[] REQUEST =
      "GET /inner HTTP/1.1\r\nHost: localhost\r\nUser-Agent: gateway\r\nAccept: */*\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private HttpNode() {}

  /** With the port of a service it is a gateway. */
  public static void main(String[] arguments) throws IOException {
    Thread.ofPlatform().daemon().start(HttpNode::endWithStarter);
    int behind = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0;
    try (ServerSocket server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress())) {
      System.out.println("port " + server.getLocalPort());
      while (true) {
        Socket socket = server.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket, behind));
      }
    }
  }

  /** A benchmark that is killed leaves nothing running. */
  private static void endWithStarter() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException broken) {
      // So is what it was the end of.
    }
    Runtime.getRuntime().halt(0);
  }

  private static void serve(Socket socket, int behind) {
    try (socket;
        Socket inner =
            behind == 0 ? new Socket() : new Socket(InetAddress.getLoopbackAddress(), behind)) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      InputStream innerIn =
          behind == 0
              ? InputStream.nullInputStream()
              : new BufferedInputStream(inner.getInputStream());
      while (true) {
        readHead(in);
        if (behind != 0) {
          inner.getOutputStream().write(REQUEST);
          readHead(innerIn);
          innerIn.skipNBytes(200);
        }
        socket.getOutputStream().write(ANSWER);
      }
    } catch (IOException ended) {
      // The client has closed the connection, as it should at the end.
    }
  }

  private static void readHead(InputStream in) throws IOException {
    int state = 0;
    while (state < 4) {
      int c = in.read();
      if (c < 0) {
        throw new EOFException();
      }
      state = c == '\r' ? (state == 2 ? 3 : 1) : c == '\n' && state % 2 == 1 ? state + 1 : 0;
    }
  }
}
