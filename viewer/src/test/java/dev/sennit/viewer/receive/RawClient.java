/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;

/** A connection on which a test sends whatever it likes. */
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket = new Socket();

  RawClient(InetSocketAddress address) throws IOException {
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.connect(address);
  }

  RawClient send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** The first line of what comes, or nothing if the connection ends without. */
  String firstLine() throws IOException {
    StringBuilder line = new StringBuilder();
    try {
      for (int c = socket.getInputStream().read(); c >= 0 && c != '\r'; ) {
        line.append((char) c);
        c = socket.getInputStream().read();
      }
    } catch (SocketException e) {
      // A reset is an end as well.
    }
    return line.toString();
  }

  /** Waits until the other side ends the connection. */
  void awaitEnd() throws IOException {
    try {
      var _ = socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      // A reset is an end as well.
    }
  }

  /** Sends a byte again and again until the other side has had enough. */
  void trickleUntilEnd(char letter) throws IOException, InterruptedException {
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    awaitEnd();
                  } catch (IOException e) {
                    throw new AssertionError("the connection does not end", e);
                  }
                });
    try {
      while (!reader.join(Duration.ofMillis(100))) {
        socket.getOutputStream().write(letter);
      }
    } catch (SocketException e) {
      // Ended in the middle.
    }
    reader.join();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
