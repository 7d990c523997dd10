/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is still to be sent, what is to be sent next, and when. Many threads put messages in; one
 * takes them out, oldest first, and says what became of each.
 */
final class Outbox {
  /** So often in a row the oldest message may stay without an answer before others get a turn. */
  static final int PATIENCE = 5;

  /** What may be in memory while a disk is there for the rest. */
  private static final long MEMORY = 8L << 20;

  /** The same where there is none: as much as one message may have. */
  private static final long MEMORY_ALONE = Exporter.MAX_MESSAGE;

  private final String destination;
  private final ChunkQueue queue;
  private final Backoff backoff;
  private final Tally tally;

  /** Guards everything below, and the queue, the backoff and the tally. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();

  /** Messages on disk whose answer was lost, and how often. */
  private final Map<String, Integer> unanswered = new HashMap<>();

  /** Messages that do not have to wait long and therefore need not go to disk: older than those. */
  private final Deque<Item> handed = new ArrayDeque<>();

  /** Their bytes. */
  private long handedBytes;

  private @Nullable Item inFlight;

  /** Nothing is sent before {@link #resumeAt}. */
  private boolean paused;

  /** The pause is the collector's wish. */
  private boolean demanded;

  private long resumeAt;
  private boolean away;
  private boolean closing;
  private boolean closed;

  /** A message and its place in the order. */
  static final class Item {
    private final String name;
    private final byte[] message;
    private final boolean onDisk;

    private Item(String name, byte[] message, boolean onDisk) {
      this.name = name;
      this.message = message;
      this.onDisk = onDisk;
    }

    byte[] message() {
      return message;
    }
  }

  /**
   * @param destination what goes where, for messages to people: {@code profiles to http://…}
   */
  Outbox(String destination, ChunkQueue queue, Backoff backoff, Tally tally) {
    this.destination = destination;
    this.queue = queue;
    this.backoff = backoff;
    this.tally = tally;
  }

  void put(byte[] message) {
    lock.lock();
    try {
      if (closing) {
        tally.drop(DropReason.CLOSED, "it came after the end");
      } else if (message.length > Exporter.MAX_MESSAGE) {
        tally.drop(
            DropReason.TOO_LARGE,
            message.length + " bytes are more than the " + Exporter.MAX_MESSAGE + " of receivers");
      } else if (staysInMemory(message)) {
        handed.add(new Item(queue.nextName(), message, false));
        handedBytes += message.length;
      } else {
        queue.put(queue.nextName(), message);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Counts a message that could not be put in for a fault of ours, or for want of memory. */
  void drop(Throwable fault) {
    lock.lock();
    try {
      tally.drop(DropReason.FAULT, "a fault of Sennit's own: " + fault);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a message is to go soon: not behind one on disk, and not while the collector is away.
   */
  private boolean staysInMemory(byte[] message) {
    if (isEmpty()) {
      return true;
    }
    long inMemory = handedBytes + (inFlight == null ? 0 : inFlight.message.length);
    long bound = queue.isOnDisk() ? MEMORY : MEMORY_ALONE;
    return queue.isEmpty() && !isPaused() && inMemory + message.length <= bound;
  }

  private boolean isEmpty() {
    return handed.isEmpty() && inFlight == null && queue.isEmpty();
  }

  /**
   * Waits until {@link #take} would answer at once.
   *
   * @return whether it would; false when the time is up
   */
  boolean awaitReady(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    lock.lock();
    try {
      if (isEmpty() && !closing) {
        queue.adopt();
      }
      while (!closing && (isEmpty() || isPaused())) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        changed.awaitNanos(isPaused() ? Math.min(left, resumeAt - System.nanoTime()) : left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isPaused() {
    return paused && resumeAt - System.nanoTime() > 0;
  }

  /**
   * Waits for something to send and for the time to send it.
   *
   * @return null if nothing more is to be sent
   */
  @Nullable Item take() throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        boolean nothing = isEmpty();
        if (closing && (nothing || isPaused())) {
          return null;
        }
        if (nothing) {
          changed.await();
        } else if (isPaused()) {
          changed.awaitNanos(resumeAt - System.nanoTime());
        } else {
          paused = false;
          inFlight = first();
          if (inFlight != null) {
            return inFlight;
          }
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Item first() {
    if (!handed.isEmpty()) {
      return firstHanded();
    }
    @Nullable String name = queue.take();
    byte @Nullable [] message = name == null ? null : queue.read(name);
    if (name == null || message == null) {
      return null;
    }
    return new Item(name, message, true);
  }

  private Item firstHanded() {
    Item item = handed.remove();
    handedBytes -= item.message.length;
    return item;
  }

  /** Says what became of the message that was taken. */
  void settle(Item item, SendResult result) {
    lock.lock();
    try {
      inFlight = null;
      if (closed) {
        return;
      }
      if (unanswered.containsKey(item.name) && !(result instanceof SendResult.Retry)) {
        tally.resent();
      }
      switch (result) {
        case SendResult.Delivered delivered -> {
          tally.sent(delivered);
          finish(item);
          if (away) {
            away = false;
            tally.tell("sending " + destination + " again");
          }
        }
        case SendResult.Rejected rejected -> {
          tally.drop(DropReason.REJECTED, "sending " + destination + ": " + rejected.reason());
          finish(item);
        }
        case SendResult.Retry retry -> {
          keep(item);
          pause(retry.reason(), retry.after());
        }
        case SendResult.Unknown unknown -> {
          keep(item);
          countUnanswered(item.name);
          pause(unknown.reason(), Optional.empty());
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** After a fault of whoever takes messages out, or when memory is short: a pause. */
  void recover(Throwable fault) {
    lock.lock();
    try {
      if (!closed) {
        keep(inFlight);
        pause("a fault of Sennit's own: " + fault, Optional.empty());
      }
      inFlight = null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void finish(Item item) {
    backoff.reset();
    unanswered.remove(item.name);
    if (item.onDisk) {
      queue.remove(item.name);
    }
  }

  private void keep(@Nullable Item item) {
    if (item != null && !item.onDisk) {
      queue.put(item.name, item.message);
    }
  }

  private void keepHanded() {
    while (!handed.isEmpty()) {
      keep(firstHanded());
    }
  }

  private void pause(String reason, Optional<Duration> demand) {
    keepHanded();
    String problem = "sending " + destination + ": " + reason;
    tally.failed(problem);
    if (!away) {
      away = true;
      tally.tell(problem + "; trying again");
    }
    demanded = demand.isPresent();
    paused = true;
    resumeAt = System.nanoTime() + backoff.after(demand).toNanos();
  }

  /** A message that never gets an answer must not hold up the others for ever. */
  private void countUnanswered(String name) {
    unanswered.keySet().removeIf(other -> !queue.contains(other));
    if (!queue.contains(name)) {
      return;
    }
    int times = unanswered.merge(name, 1, Integer::sum);
    if (times % PATIENCE == 0) {
      unanswered.remove(name);
      unanswered.put(queue.moveToEnd(name), times);
    }
  }

  /**
   * Waits until nothing is left. Ends a pause, unless the collector wished for it.
   *
   * @return whether nothing is left
   */
  boolean awaitEmpty(Duration timeout) throws InterruptedException {
    long nanos = TimeUnit.NANOSECONDS.convert(timeout);
    lock.lock();
    try {
      paused &= demanded;
      changed.signalAll();
      while (!isEmpty() && !closed && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Takes nothing more in, and ends when nothing can be sent at once. */
  void beginClose() {
    lock.lock();
    try {
      closing = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Leaves what is left on disk. */
  void close() {
    lock.lock();
    try {
      if (!closed) {
        closing = true;
        closed = true;
        keep(inFlight);
        keepHanded();
        queue.close();
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  ExportCounters counters() {
    lock.lock();
    try {
      return tally.counters(queue.size(), queue.bytes());
    } finally {
      lock.unlock();
    }
  }
}
