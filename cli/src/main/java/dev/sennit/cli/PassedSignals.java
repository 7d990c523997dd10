/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Signals that are another process's. They are taken before it is started, for whoever sees it may
 * send one at once; those that come too soon wait for it.
 */
final class PassedSignals {
  private final List<Signals.Signal> waiting = new ArrayList<>();
  private @Nullable Consumer<Signals.Signal> target;

  PassedSignals() {
    for (Signals.Signal signal : Signals.Signal.values()) {
      Signals.on(signal, () -> came(signal));
    }
  }

  private synchronized void came(Signals.Signal signal) {
    if (target == null) {
      waiting.add(signal);
    } else {
      target.accept(signal);
    }
  }

  /** From now on they go there. */
  synchronized void passTo(Consumer<Signals.Signal> newTarget) {
    target = newTarget;
    waiting.forEach(newTarget);
    waiting.clear();
  }
}
