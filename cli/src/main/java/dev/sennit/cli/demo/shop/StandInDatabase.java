/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.demo.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Speaks as much of Redis as the shop needs, where no Redis is installed. */
public final class StandInDatabase {
  private static final Map<String, Long> VALUES = new ConcurrentHashMap<>();

  private StandInDatabase() {}

  /** Takes nothing. */
  public static void main(String[] arguments) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      System.out.println("listening on " + server.getLocalPort());
      while (true) {
        Socket socket = server.accept();
        Thread.startVirtualThread(() -> serve(socket));
      }
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (List<String> command = read(in); command != null; command = read(in)) {
        String answer =
            command.size() == 2 && command.getFirst().equalsIgnoreCase("INCR")
                ? ":" + VALUES.merge(command.get(1), 1L, Long::sum)
                : "-ERR unknown command";
        socket.getOutputStream().write((answer + "\r\n").getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      System.err.println("a connection has broken: " + e.getMessage());
    }
  }

  /** An array of bulk strings; null at the end. */
  private static @Nullable List<String> read(BufferedReader in) throws IOException {
    String head = in.readLine();
    if (head == null) {
      return null;
    }
    if (!head.matches("\\*\\d{1,3}")) {
      throw new IOException("not a command: " + head);
    }
    List<String> words = new ArrayList<>();
    for (int i = Integer.parseInt(head.substring(1)); i > 0; i--) {
      in.readLine();
      String word = in.readLine();
      if (word == null) {
        throw new IOException("a command has no end");
      }
      words.add(word);
    }
    return words;
  }
}
