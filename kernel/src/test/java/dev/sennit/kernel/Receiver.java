/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every byte that comes, connection by connection, and answers when a request seems to end.
 */
final class Receiver implements AutoCloseable {
  private static final int SMALL = 2048;

  private final ServerSocket server;
  private final BlockingQueue<byte[]> received = new LinkedBlockingQueue<>();
  private volatile @Nullable String answer;
  private volatile boolean slow;
  private final AtomicInteger reads = new AtomicInteger();

  Receiver() {
    try {
      server = new ServerSocket();
      server.setReceiveBufferSize(SMALL);
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().name("receiver").start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Answers whatever ends with a blank line. */
  void answer(@Nullable String text) {
    answer = text;
  }

  /** Lets senders wait for room. */
  void slow(boolean slow) {
    this.slow = slow;
  }

  /** How many reads the bytes of the last connection took. */
  int reads() {
    return reads.get();
  }

  /** All bytes of the next connection that has been closed. */
  byte[] next() throws InterruptedException {
    byte[] bytes = received.poll(60, TimeUnit.SECONDS);
    if (bytes == null) {
      throw new AssertionError("no connection was closed within a minute");
    }
    return bytes;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofVirtual().start(() -> read(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void read(Socket socket) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (socket;
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream()) {
      byte[] buffer = new byte[slow ? 512 : 65_536];
      reads.set(0);
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        reads.incrementAndGet();
        bytes.write(buffer, 0, n);
        String text = answer;
        if (text != null && endsHead(bytes.toByteArray())) {
          out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }
        if (slow && bytes.size() % 8192 < 512) {
          TimeUnit.MILLISECONDS.sleep(1);
        }
      }
    } catch (IOException e) {
      bytes.writeBytes(("\n" + e).getBytes(StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    received.add(bytes.toByteArray());
  }

  private static boolean endsHead(byte[] bytes) {
    int n = bytes.length;
    return n >= 4
        && bytes[n - 4] == '\r'
        && bytes[n - 3] == '\n'
        && bytes[n - 2] == '\r'
        && bytes[n - 1] == '\n';
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
