/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a process and for connections, so that the JDK has threads for that, and is sampled.
 */
final class InternalThreads {
  private InternalThreads() {}

  public static void main(String[] arguments) throws IOException {
    // The names that OpenTelemetry's SDK gives its threads.
    for (String name :
        List.of(
            "BatchSpanProcessor_WorkerThread-1",
            "BatchLogRecordProcessor_WorkerThread-1",
            "PeriodicMetricReader-1",
            "PeriodicMetricReaders of the shop")) {
      Thread.ofPlatform().daemon().name(name).start(InternalThreads::waitForEver);
    }
    Process child = new ProcessBuilder("sleep", "600").start();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread accepting =
          Thread.ofVirtual()
              .name("accepts")
              .start(
                  () -> {
                    try (Socket socket = server.accept()) {
                      throw new AssertionError("nobody connects: " + socket);
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      while (accepting.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      @Nullable CallStackSampler sampler =
          CallStackSampler.startIfEnabled(System::getenv, System::getProperty);
      System.out.println("ready " + (sampler != null));
      System.in.read();
    } finally {
      child.destroy();
    }
    System.exit(0);
  }

  private static void waitForEver() {
    while (true) {
      LockSupport.park();
    }
  }
}
