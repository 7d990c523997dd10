/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.services;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/**
 * Logs five lines for each request while it serves it, by whichever logger is on its class path, on
 * the thread that reads requests, on a pool's, or on a virtual thread of its own for each
 * connection.
 */
public final class LoggingService {
  private static final int LINES = 5;
  private static final int PAUSE = 2;
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private LoggingService() {}

  /** Started with {@code platform}, {@code pool} or {@code virtual}. */
  public static void main(String[] arguments) throws IOException {
    Consumer<String> log = LoggerFactory.getLogger("shop")::info;
    ExecutorService pool = Executors.newFixedThreadPool(16);
    Executor worker = arguments[0].equals("pool") ? pool : Runnable::run;
    try (ServerSocket listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress())) {
      System.out.println("port " + listener.getLocalPort());
      while (true) {
        Socket socket = listener.accept();
        Runnable connection = () -> serve(socket, worker, log);
        if (arguments[0].equals("virtual")) {
          Thread.startVirtualThread(connection);
        } else {
          new Thread(connection).start();
        }
      }
    }
  }

  private static void serve(Socket socket, Executor worker, Consumer<String> log) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      String request = in.readLine();
      while (request != null) {
        String header = in.readLine();
        while (header != null && !header.isEmpty()) {
          header = in.readLine();
        }
        String number = request.split(" ")[1].substring(1);
        worker.execute(() -> serve(socket, number, log));
        request = in.readLine();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void serve(Socket socket, String number, Consumer<String> log) {
    try {
      for (int i = 1; i <= LINES; i++) {
        log.accept("request " + number + " line " + i);
        Thread.sleep(PAUSE);
      }
      socket.getOutputStream().write(ANSWER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
