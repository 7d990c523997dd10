/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.libbpf.BpfMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Forgets contexts of threads whose request nobody will answer any more. One whose connection still
 * has an open request stays, however old it is.
 */
final class ContextSweep {
  private static final long INTERVAL = TimeUnit.SECONDS.toNanos(30);

  /** Where {@code struct connection} says that a request is open. */
  private static final int OPEN = 2;

  private static final int MOST = 65_536;

  private final BpfMap contexts;
  private final BpfMap connections;
  private final long lifetime;
  private long last = System.nanoTime();

  ContextSweep(BpfMap contexts, BpfMap connections, Duration lifetime) {
    this.contexts = contexts;
    this.connections = connections;
    this.lifetime = lifetime.toNanos();
  }

  /** Does its work when it is time, by a clock that is the kernel's, too. */
  void run(long now) {
    if (now - last < INTERVAL) {
      return;
    }
    last = now;
    for (byte[] thread : contexts.keys(MOST)) {
      contexts
          .get(thread)
          .map(context -> ByteBuffer.wrap(context).order(ByteOrder.nativeOrder()))
          .filter(context -> now - context.getLong(KernelTraceInjector.TIME) > lifetime)
          .filter(context -> !isOpen(context.getLong(KernelTraceInjector.CONNECTION)))
          .ifPresent(context -> contexts.remove(thread));
    }
  }

  private boolean isOpen(long connection) {
    Optional<byte[]> known = connections.get(MapBytes.of(connection));
    return known.isPresent() && known.get()[OPEN] != 0;
  }
}
