/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** For how long a connection lasts over which nothing goes. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IdleConnectionTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration FOR_EVER = Duration.ofHours(1);

  @TempDir private Path folder;

  /** A collector that says of each connection when it begins, is asked and ends. */
  private static final class Witness implements AutoCloseable {
    final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getByName("localhost"));

    Witness() throws IOException {
      Thread.ofPlatform().daemon().start(this::accept);
    }

    int port() {
      return server.getLocalPort();
    }

    private void accept() {
      try {
        while (true) {
          Socket socket = server.accept();
          seen.add("connected");
          Thread.ofPlatform().daemon().start(() -> serve(socket));
        }
      } catch (IOException e) {
        // Closed.
      }
    }

    private void serve(Socket socket) {
      try (socket;
          BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          int length = 0;
          for (; line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
              length = Integer.parseInt(line.substring("content-length: ".length()));
            }
          }
          in.skip(length);
          seen.add("asked");
          socket
              .getOutputStream()
              .write(
                  "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                      .getBytes(StandardCharsets.US_ASCII));
        }
        seen.add("ended");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  private Exporter open(Witness collector, Duration idle) throws IOException {
    return Exporter.open(
        new TestSettings()
            .property("sennit.otlp.endpoint", "http://localhost:" + collector.port())
            .property("sennit.otlp.queue.directory", folder)
            .read(),
        new Backoff(new Random(1)),
        idle,
        line -> {});
  }

  private static void send(Exporter exporter, int number) {
    exporter.export(Messages.numbered(number, 100));
    assertThat(exporter.flush(LONG)).isTrue();
  }

  @Test
  void messagesInARowShareIt() throws Exception {
    try (Witness collector = new Witness();
        Exporter exporter = open(collector, FOR_EVER)) {
      for (int i = 0; i < 20; i++) {
        send(exporter, i);
      }
      assertThat(collector.seen).hasSize(21).containsOnlyOnce("connected");
    }
  }

  @Test
  void itEndsWhenNothingIsSentForAWhileAndTheNextMessageMakesAnother() throws Exception {
    try (Witness collector = new Witness();
        Exporter exporter = open(collector, Duration.ofMillis(100))) {
      for (int i = 0; i < 2; i++) {
        send(exporter, i);
        assertThat(collector.seen.poll(60, TimeUnit.SECONDS)).isEqualTo("connected");
        assertThat(collector.seen.poll(60, TimeUnit.SECONDS)).isEqualTo("asked");
        assertThat(collector.seen.poll(60, TimeUnit.SECONDS)).isEqualTo("ended");
      }
    }
  }

  @Test
  void theEndOfTheExporterIsItsEnd() throws Exception {
    try (Witness collector = new Witness()) {
      Exporter exporter = open(collector, FOR_EVER);
      send(exporter, 0);
      exporter.close(FOR_EVER);
      assertThat(collector.seen.poll(60, TimeUnit.SECONDS)).isEqualTo("connected");
      assertThat(collector.seen.poll(60, TimeUnit.SECONDS)).isEqualTo("asked");
      assertThat(collector.seen.poll(60, TimeUnit.SECONDS)).isEqualTo("ended");
    }
  }
}
