/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Remembers where each platform thread writes. A thread-local variable knows it of every thread;
 * before it comes a table by Java's thread ids, which are never given twice, because a look there
 * takes less time. An entry that threads share is the youngest's for good, and the others ask the
 * variable: no entry goes back and forth between two threads.
 */
final class ThreadPlaces {
  private static final int MASK = 4095;

  private final @Nullable Place[] table = new Place[MASK + 1];
  private final ThreadLocal<Place> places;

  /**
   * Where a thread writes. The fields are final, so that who sees a place through the race on the
   * table sees all of it.
   *
   * @param threadId Java's number of the thread; 0, which no thread has, for a carrier's place
   * @param address of the thread's slot or record; 0 when there is no memory for one
   * @param tid the operating system's number of the thread
   */
  record Place(long threadId, long address, int tid) {}

  /** Places that {@code find} finds, on the thread whose id it gets. */
  ThreadPlaces(LongFunction<Place> find) {
    this.places =
        ThreadLocal.withInitial(
            () -> {
              long threadId = Thread.currentThread().threadId();
              Place place = find.apply(threadId);
              table[(int) threadId & MASK] = place;
              return place;
            });
  }

  /** The current thread's place; null on a virtual thread, which has none of its own. */
  @Nullable Place current() {
    Thread thread = Thread.currentThread();
    if (thread.isVirtual()) {
      return null;
    }
    Place place = table[(int) thread.threadId() & MASK];
    return place != null && place.threadId == thread.threadId() ? place : places.get();
  }
}
