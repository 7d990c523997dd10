/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextSnapshot;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The contexts of tasks that must stay the objects they are, from when they are handed over until
 * they run. Tasks are known by identity and held weakly: one that is rejected, cancelled or
 * forgotten takes its entry with it.
 *
 * <p>Each bucket is a list with the newest first. Whoever takes an entry marks it; marked ones are
 * unlinked by whoever comes by. An unlinking that is lost to a race leaves a marked entry to the
 * next one, and never loses one that is not marked.
 */
public final class TaskTable {
  private static final int MASK = (1 << 12) - 1;

  /** How often one object can be under way before nobody tells its contexts apart any more. */
  private static final int MOST_OF_ONE = 8;

  private static final VarHandle TAKEN;

  static {
    try {
      TAKEN = MethodHandles.lookup().findVarHandle(Entry.class, "taken", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final AtomicReferenceArray<@Nullable Entry> heads = new AtomicReferenceArray<>(MASK + 1);
  private final ReferenceQueue<Object> forgotten = new ReferenceQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  private static final class Entry extends WeakReference<Object> {
    private final int bucket;

    /** Tells apart what is known by the same object. */
    private final int tag;

    private final ContextSnapshot context;
    private volatile boolean taken;

    /** The object is under way so often that its contexts are not kept. It stays, never taken. */
    private volatile boolean crowded;

    /**
     * The same object was handed over twice, for different requests: nobody can tell them apart.
     */
    private volatile boolean ambiguous;

    private volatile @Nullable Entry next;

    Entry(Object task, int tag, int bucket, ContextSnapshot context, ReferenceQueue<Object> queue) {
      super(task, queue);
      this.tag = tag;
      this.bucket = bucket;
      this.context = context;
    }

    boolean take() {
      return TAKEN.compareAndSet(this, false, true);
    }
  }

  /** Keeps the context of a task until it is taken, or the task is gone. */
  public void put(Object task, ContextSnapshot context) {
    put(task, 0, context);
  }

  /** The same, for one of several things that are known by the same object. */
  void put(Object task, int tag, ContextSnapshot context) {
    int bucket = bucketOf(task, tag);
    int underWay = underWay(bucket, task, tag);
    if (underWay > MOST_OF_ONE) {
      return;
    }
    Entry entry = new Entry(task, tag, bucket, context, forgotten);
    entry.crowded = underWay == MOST_OF_ONE;
    Entry head;
    do {
      head = heads.get(bucket);
      entry.next = head;
    } while (!heads.compareAndSet(bucket, head, entry));
    size.getAndIncrement();
    expunge();
  }

  /** The context of a task that is about to run; null if it was handed over without one. */
  public @Nullable ContextSnapshot take(Object task) {
    return take(task, 0);
  }

  /** The same, for one of several things that are known by the same object. */
  @Nullable ContextSnapshot take(Object task, int tag) {
    if (size.get() == 0) {
      return null;
    }
    int bucket = bucketOf(task, tag);
    while (true) {
      Entry oldest = oldest(bucket, task, tag);
      if (oldest == null) {
        return null;
      }
      if (oldest.take()) {
        oldest.clear();
        size.getAndDecrement();
        unlink(bucket);
        return oldest.ambiguous ? null : oldest.context;
      }
    }
  }

  /** How many tasks are under way. */
  int size() {
    expunge();
    return size.get();
  }

  private static int bucketOf(Object task, int tag) {
    return (System.identityHashCode(task) ^ tag) & MASK;
  }

  private int underWay(int bucket, Object task, int tag) {
    int count = 0;
    for (Entry entry = heads.get(bucket); entry != null; entry = entry.next) {
      if (!entry.taken && entry.tag == tag && entry.refersTo(task)) {
        count += entry.crowded ? MOST_OF_ONE + 1 : 1;
      }
    }
    return count;
  }

  private @Nullable Entry oldest(int bucket, Object task, int tag) {
    Entry oldest = null;
    for (Entry entry = heads.get(bucket); entry != null; entry = entry.next) {
      if (!entry.taken && entry.tag == tag && entry.refersTo(task)) {
        if (entry.crowded) {
          return null;
        }
        if (oldest != null && (oldest.ambiguous || differ(oldest.context, entry.context))) {
          oldest.ambiguous = true;
          entry.ambiguous = true;
        }
        oldest = entry;
      }
    }
    return oldest;
  }

  private static boolean differ(ContextSnapshot one, ContextSnapshot other) {
    return one.spanId() != other.spanId() || one.traceIdLow() != other.traceIdLow();
  }

  private void unlink(int bucket) {
    Entry head = heads.get(bucket);
    while (head != null && head.taken) {
      heads.compareAndSet(bucket, head, head.next);
      head = heads.get(bucket);
    }
    Entry last = head;
    while (last != null) {
      Entry entry = last.next;
      if (entry != null && entry.taken) {
        last.next = entry.next;
      } else {
        last = entry;
      }
    }
  }

  private void expunge() {
    Reference<?> reference = forgotten.poll();
    while (reference != null) {
      if (reference instanceof Entry entry) {
        if (entry.take()) {
          size.getAndDecrement();
        }
        unlink(entry.bucket);
      }
      reference = forgotten.poll();
    }
  }
}
