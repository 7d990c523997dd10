/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Batches that wait to be written, bounded by what they take until they are written. */
final class BatchQueue {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final long capacity;
  private final long gatherNanos;

  private List<Batch> waiting = new ArrayList<>();
  private long waitingBytes;
  private long takenBytes;
  private long oldestSince;
  private long offered;
  private long written;
  private boolean hurried;
  private boolean closed;

  /**
   * @param gather how long the first of several waits for the others
   */
  BatchQueue(long capacity, Duration gather) {
    this.capacity = capacity;
    gatherNanos = gather.toNanos();
  }

  /** False if there is no room. One batch always has room, however large it is. */
  boolean offer(Batch batch) {
    lock.lock();
    try {
      long bytes = batch.bytes();
      if (closed || (held() > 0 && held() + bytes > capacity)) {
        return false;
      }
      if (waiting.isEmpty()) {
        oldestSince = System.nanoTime();
      }
      waiting.add(batch);
      waitingBytes += bytes;
      offered++;
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** All that waits; nothing if nothing came for that long. */
  List<Batch> take(Duration patience) throws InterruptedException {
    lock.lock();
    try {
      long deadline = System.nanoTime() + patience.toNanos();
      while (waiting.isEmpty() && !closed) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return List.of();
        }
        var _ = changed.awaitNanos(left);
      }
      while (!hurried && !closed && waitingBytes < capacity / 4) {
        long left = oldestSince + gatherNanos - System.nanoTime();
        if (left <= 0) {
          break;
        }
        var _ = changed.awaitNanos(left);
      }
      List<Batch> taken = waiting;
      waiting = new ArrayList<>();
      takenBytes = waitingBytes;
      waitingBytes = 0;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Says that what was taken last needs no room any more. */
  void done(int batches) {
    lock.lock();
    try {
      takenBytes = 0;
      written += batches;
      hurried &= written < offered;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all that has been offered is done. */
  void awaitDone() throws InterruptedException {
    lock.lock();
    try {
      long until = offered;
      while (written < until) {
        hurried = true;
        changed.signalAll();
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes nothing more; what waits can still be taken out. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  long bytes() {
    lock.lock();
    try {
      return held();
    } finally {
      lock.unlock();
    }
  }

  private long held() {
    return waitingBytes + takenBytes;
  }
}
