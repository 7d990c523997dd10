/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.context.memory.Libc;
import dev.sennit.kernel.libbpf.BpfMap;
import dev.sennit.kernel.libbpf.BpfObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The permission by which the programs act, for three seconds at a time. A thread that does nothing
 * else renews it every second, so that it does not run out because there is much to do; but only
 * while somebody takes what the programs tell.
 */
final class Lease implements AutoCloseable {
  static final String PROGRAM = "tell_lease";

  private static final long LENGTH = TimeUnit.SECONDS.toNanos(3);
  private static final long RENEWAL = TimeUnit.SECONDS.toNanos(1);
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

  private final BpfObject object;
  private final BpfMap map;
  private final Thread renewer;
  private boolean held;
  private long until;
  private long since;
  private volatile long taken = System.nanoTime();
  private volatile boolean closed;

  Lease(BpfObject object) {
    this.object = object;
    map = object.map("tracing_enabled");
    renewer = Thread.ofPlatform().name("sennit-kernel-lease").daemon().unstarted(this::keepUp);
  }

  void start() {
    renewer.start();
  }

  /** From now on the programs act. */
  synchronized void begin() {
    held = true;
    until = 0;
    renew();
  }

  /** They act no longer. */
  synchronized void end() {
    held = false;
    put(0, 0);
  }

  /** What the programs tell is being taken. */
  void taking() {
    taken = System.nanoTime();
  }

  private void keepUp() {
    while (!closed) {
      renewIfHeld();
      LockSupport.parkNanos(RENEWAL);
    }
  }

  private synchronized void renewIfHeld() {
    if (held && System.nanoTime() - taken < PATIENCE) {
      renew();
    }
  }

  /** One that has run out, for want of a processor, begins anew: what happened since is unknown. */
  private void renew() {
    long now = Libc.clockNanos(Libc.CLOCK_MONOTONIC);
    if (now >= until) {
      since = now;
    }
    until = now + LENGTH;
    put(until, since);
  }

  private void put(long newUntil, long newSince) {
    map.put(
        MapBytes.of(0),
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(newUntil)
            .putLong(newSince)
            .array());
    object.run(PROGRAM);
  }

  /** Waits until nobody uses the object any more; the programs stay as they are. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(renewer);
    try {
      renewer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
