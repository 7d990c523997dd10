/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A live view that tells all of its listeners the same, such as lines as they are written. A
 * listener that is too slow misses the oldest, and is told how many in an event {@code missed}.
 */
public final class Broadcast implements LiveView {
  private static final byte[] NOTHING = {};

  private final String path;
  private final int bound;
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

  /**
   * @param bound how many events wait for one listener at most
   */
  public Broadcast(String path, int bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("bound is " + bound + ", but must be at least 1");
    }
    this.path = path;
    this.bound = bound;
  }

  @Override
  public String path() {
    return path;
  }

  /** Whether anybody listens; if not, nothing has to be put together. */
  public boolean isHeard() {
    return !listeners.isEmpty();
  }

  /** Tells whoever listens now; never waits for any of them. */
  public void publish(String name, Events.Data data) throws IOException {
    if (isHeard()) {
      byte[] event = Events.event(name, data);
      listeners.forEach(listener -> listener.add(event));
    }
  }

  @Override
  public void run(Query query, Events events) throws IOException, InterruptedException {
    Listener listener = new Listener();
    listeners.add(listener);
    try {
      events.heartbeat();
      while (true) {
        listener.tell(events);
      }
    } finally {
      listeners.remove(listener);
    }
  }

  private final class Listener {
    private final Queue<byte[]> waiting = new ArrayDeque<>();
    private long missed;

    synchronized void add(byte[] event) {
      if (waiting.size() == bound) {
        waiting.remove();
        missed++;
      }
      waiting.add(event);
      notifyAll();
    }

    /** Sends outside of the lock, which publishers need. */
    @SuppressWarnings("WaitNotInLoop") // woken for nothing, it sends a heartbeat too many
    void tell(Events events) throws IOException, InterruptedException {
      byte[] event = NOTHING;
      long gap;
      synchronized (this) {
        if (waiting.isEmpty()) {
          wait(Events.HEARTBEAT.toMillis());
        }
        gap = missed;
        missed = 0;
        if (!waiting.isEmpty()) {
          event = waiting.remove();
        }
      }
      if (gap > 0) {
        events.send("missed", out -> out.writeNumber(gap));
      }
      if (event.length == 0) {
        events.heartbeat();
      } else {
        events.write(event);
      }
    }
  }
}
