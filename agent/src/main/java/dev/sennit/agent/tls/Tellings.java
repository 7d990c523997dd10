/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Keeps a few {@link Telling}s for whoever comes next: there may be a million virtual threads. */
final class Tellings {
  private static final int KEPT = 16;

  private final AtomicReferenceArray<@Nullable Telling> kept = new AtomicReferenceArray<>(KEPT);

  /** From now on the kernel notes which socket carries which record. */
  void announce() {
    Telling telling = take();
    telling.announce();
    giveBack(telling);
  }

  Telling take() {
    int start = (int) Thread.currentThread().threadId();
    for (int i = 0; i < KEPT; i++) {
      int slot = (start + i) & (KEPT - 1);
      if (kept.getPlain(slot) != null) {
        Telling taken = kept.getAndSet(slot, null);
        if (taken != null) {
          return taken;
        }
      }
    }
    return new Telling();
  }

  void giveBack(Telling telling) {
    telling.forget();
    int start = (int) Thread.currentThread().threadId();
    for (int i = 0; i < KEPT; i++) {
      int slot = (start + i) & (KEPT - 1);
      if (kept.getPlain(slot) == null && kept.compareAndSet(slot, null, telling)) {
        return;
      }
    }
  }
}
