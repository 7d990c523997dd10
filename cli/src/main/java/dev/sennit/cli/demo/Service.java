/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A service of the shop: a process that says on which port it listens. It ends with whoever started
 * it, however that ends.
 */
final class Service implements AutoCloseable {
  private static final String LISTENING = "listening on ";
  private static final int PATIENCE_SECONDS = 30;
  private static final int LAST_LINES = 20;

  /** The end of its input is that of this process, also if it is killed. */
  private static final String UNTIL_THE_END_OF_INPUT =
      "\"$@\" </dev/null & child=$!; read -r _; kill \"$child\"; wait \"$child\"";

  private final String name;
  private final Process process;
  private final CountDownLatch told = new CountDownLatch(1);
  private final Deque<String> lines = new ArrayDeque<>();
  private volatile int port;

  private Service(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  /** A command that ends when its input does. */
  static List<String> guarded(List<String> command) {
    List<String> guarded = new ArrayList<>(List.of("sh", "-c", UNTIL_THE_END_OF_INPUT, "sh"));
    guarded.addAll(command);
    return guarded;
  }

  /**
   * Starts it; what it prints is read and forgotten, but for the last lines.
   *
   * @param command which ends when its input does
   */
  static Service start(String name, List<String> command) throws IOException {
    Service service =
        new Service(name, new ProcessBuilder(command).redirectErrorStream(true).start());
    Thread.ofVirtual().name("demo-" + name).start(service::read);
    return service;
  }

  /** One that listens where it was told to. */
  Service listeningOn(int knownPort) {
    port = knownPort;
    told.countDown();
    return this;
  }

  private void read() {
    try (BufferedReader out = process.inputReader()) {
      for (@Nullable String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith(LISTENING)) {
          port = Integer.parseInt(line.substring(LISTENING.length()).strip());
          told.countDown();
        }
        synchronized (lines) {
          lines.addLast(line);
          if (lines.size() > LAST_LINES) {
            lines.removeFirst();
          }
        }
      }
    } catch (IOException e) {
      // It has ended.
    }
    told.countDown();
  }

  /**
   * Where it listens, as soon as it does.
   *
   * @throws IOException with its last lines, if it does not
   */
  int port() throws IOException {
    try {
      if (told.await(PATIENCE_SECONDS, TimeUnit.SECONDS) && port > 0) {
        return port;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (lines) {
      throw new IOException(
          "the " + name + " of the shop did not start: " + String.join(" | ", lines));
    }
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended by itself.
    }
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
