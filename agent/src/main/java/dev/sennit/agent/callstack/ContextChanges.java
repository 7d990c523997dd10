/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.context.memory.OsThread;
import dev.sennit.context.thread.ContextObserver;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Notes changes of context while a dump is pending; at all other times a change costs the read of
 * one field. A note says what the context is now and on which side of the dump's operation that
 * was. Threads are found by their number in the operating system, so that a virtual thread's notes
 * are its carrier's.
 *
 * <p>{@link #changed} and {@link #carrierChanged} run on the application's threads, also in the
 * middle of a mount: they wait for nothing and throw nothing.
 */
final class ContextChanges implements ContextObserver {
  /** A power of two, far above the number of threads that change a context during one dump. */
  private static final int PLACES = 4096;

  private static final int PROBES = 16;

  private final @Nullable Safepoints safepoints;
  private final AtomicReferenceArray<@Nullable Notes> places = new AtomicReferenceArray<>(PLACES);

  /** The number of the dump that is pending; 0 when there is none. */
  private volatile int pending;

  private volatile boolean overflowed;
  private int dumps;

  ContextChanges(@Nullable Safepoints safepoints) {
    this.safepoints = safepoints;
    begin();
    changed(1, 1, 1, 1);
    end();
  }

  /**
   * The notes of one OS thread, which alone writes them: for each side of operations the last, for
   * no other can matter. So a note is final once the next operation has come.
   */
  static final class Notes {
    private static final int CAPACITY = 8;
    private static final int WORDS = 5;

    private final int tid;
    private final int dump;
    private final long[] words = new long[CAPACITY * WORDS];
    private volatile int count;

    Notes(int tid, int dump) {
      this.tid = tid;
      this.dump = dump;
    }

    private void add(long side, long traceIdHigh, long traceIdLow, long spanId, int flags) {
      int number = count;
      if (number > 0 && words[(number - 1) * WORDS] == side) {
        number--;
      } else if (number == CAPACITY) {
        return;
      }
      int at = number * WORDS;
      words[at] = side;
      words[at + 1] = traceIdHigh;
      words[at + 2] = traceIdLow;
      words[at + 3] = spanId;
      words[at + 4] = flags;
      count = number + 1;
    }

    int count() {
      return count;
    }

    long side(int note) {
      return words[note * WORDS];
    }

    SpanIds ids(int note) {
      int at = note * WORDS;
      return new SpanIds(words[at + 1], words[at + 2], words[at + 3], (int) words[at + 4]);
    }
  }

  @Override
  public void changed(long traceIdHigh, long traceIdLow, long spanId, int flags) {
    int dump = pending;
    if (dump != 0) {
      note(dump, traceIdHigh, traceIdLow, spanId, flags);
    }
  }

  @Override
  public void carrierChanged(long traceIdHigh, long traceIdLow, long spanId, int flags) {
    changed(traceIdHigh, traceIdLow, spanId, flags);
  }

  private void note(int dump, long traceIdHigh, long traceIdLow, long spanId, int flags) {
    try {
      long side = safepoints == null ? 0 : safepoints.side();
      Notes notes = findOrAdd(OsThread.id(), dump);
      if (notes == null) {
        overflowed = true;
      } else {
        notes.add(side, traceIdHigh, traceIdLow, spanId, flags);
      }
    } catch (Throwable t) {
      // Memory is short, say. The application must not notice; nothing is certain now.
      overflowed = true;
    }
  }

  private @Nullable Notes findOrAdd(int tid, int dump) {
    for (int i = 0; i < PROBES; i++) {
      int place = (tid + i) & (PLACES - 1);
      Notes notes = places.get(place);
      if (notes == null) {
        notes = new Notes(tid, dump);
        if (places.compareAndSet(place, null, notes)) {
          return notes;
        }
        notes = places.get(place);
      }
      if (notes != null && notes.tid == tid) {
        if (notes.dump == dump) {
          return notes;
        }
        // Of the dump before, by a change that came late; nobody else writes in this place.
        notes = new Notes(tid, dump);
        places.set(place, notes);
        return notes;
      }
    }
    return null;
  }

  /** An observer that tells both this and another. */
  ContextObserver alongside(ContextObserver other) {
    return new ContextObserver() {
      @Override
      public void changed(long traceIdHigh, long traceIdLow, long spanId, int flags) {
        ContextChanges.this.changed(traceIdHigh, traceIdLow, spanId, flags);
        other.changed(traceIdHigh, traceIdLow, spanId, flags);
      }

      @Override
      public void carrierChanged(long traceIdHigh, long traceIdLow, long spanId, int flags) {
        ContextChanges.this.carrierChanged(traceIdHigh, traceIdLow, spanId, flags);
        other.carrierChanged(traceIdHigh, traceIdLow, spanId, flags);
      }
    };
  }

  /** From now on changes are noted. */
  void begin() {
    overflowed = false;
    dumps = dumps == Integer.MAX_VALUE ? 1 : dumps + 1;
    pending = dumps;
  }

  /** Whether some changes could not be noted. */
  boolean isIncomplete() {
    return overflowed;
  }

  /** The notes that an OS thread has made since {@link #begin}; null if there are none. */
  @Nullable Notes find(int tid) {
    for (int i = 0; i < PROBES; i++) {
      Notes notes = places.get((tid + i) & (PLACES - 1));
      if (notes == null) {
        return null;
      }
      if (notes.tid == tid) {
        return notes.dump == dumps ? notes : null;
      }
    }
    return null;
  }

  /**
   * Nothing is noted any more. The places are all emptied, for a gap in the middle would hide what
   * is behind it; a thread that is still writing writes into what nobody reads.
   */
  void end() {
    pending = 0;
    for (int i = 0; i < PLACES; i++) {
      if (places.get(i) != null) {
        places.set(i, null);
      }
    }
  }
}
