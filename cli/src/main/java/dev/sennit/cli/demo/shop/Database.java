/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.demo.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection to Redis, or to what stands in for it. */
final class Database implements AutoCloseable {
  private final Socket socket;
  private final BufferedReader in;

  Database(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
  }

  long increment(String key) throws IOException {
    String command = "*2\r\n$4\r\nINCR\r\n$" + key.length() + "\r\n" + key + "\r\n";
    socket.getOutputStream().write(command.getBytes(StandardCharsets.UTF_8));
    String answer = in.readLine();
    if (answer == null || !answer.startsWith(":")) {
      throw new IOException("the database answers " + answer);
    }
    return Long.parseLong(answer.substring(1));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
