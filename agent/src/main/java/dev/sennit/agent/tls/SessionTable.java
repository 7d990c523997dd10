/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of sockets and engines, which are known by identity and held weakly. Each bucket is
 * a list to which one adds at the head only, so that no two have the same object; an unlinking that
 * is lost to a race is done by the next one.
 */
final class SessionTable {
  private static final int MASK = (1 << 10) - 1;

  private final AtomicReferenceArray<@Nullable Entry> heads = new AtomicReferenceArray<>(MASK + 1);
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
  private final AtomicLong numbers = new AtomicLong();

  private static final class Entry extends WeakReference<Object> {
    private final int bucket;
    private final TlsSession session;
    private volatile @Nullable Entry next;

    Entry(Object owner, int bucket, TlsSession session, ReferenceQueue<Object> queue) {
      super(owner, queue);
      this.bucket = bucket;
      this.session = session;
    }
  }

  TlsSession of(Object owner) {
    int bucket = System.identityHashCode(owner) & MASK;
    Entry created = null;
    while (true) {
      Entry head = heads.get(bucket);
      for (Entry entry = head; entry != null; entry = entry.next) {
        if (entry.refersTo(owner)) {
          return entry.session;
        }
      }
      if (created == null) {
        created = new Entry(owner, bucket, new TlsSession(numbers.incrementAndGet()), gone);
        unlinkGone();
        continue;
      }
      created.next = head;
      if (heads.compareAndSet(bucket, head, created)) {
        return created.session;
      }
    }
  }

  /** How many there are, some of them gone perhaps. */
  int size() {
    unlinkGone();
    int size = 0;
    for (int bucket = 0; bucket <= MASK; bucket++) {
      for (Entry entry = heads.get(bucket); entry != null; entry = entry.next) {
        size++;
      }
    }
    return size;
  }

  private void unlinkGone() {
    Reference<?> reference = gone.poll();
    while (reference != null) {
      if (reference instanceof Entry entry) {
        unlinkGone(entry.bucket);
      }
      reference = gone.poll();
    }
  }

  private void unlinkGone(int bucket) {
    Entry head = heads.get(bucket);
    while (head != null && head.refersTo(null)) {
      heads.compareAndSet(bucket, head, head.next);
      head = heads.get(bucket);
    }
    Entry last = head;
    while (last != null) {
      Entry entry = last.next;
      if (entry != null && entry.refersTo(null)) {
        last.next = entry.next;
      } else {
        last = entry;
      }
    }
  }
}
