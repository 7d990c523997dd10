/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.shared;

import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Whether an SDK says what the threads of this process are doing. The extension, which the SDK
 * knows, says so; the agent then stops finding it out by itself.
 */
public final class ContextOwner {
  /** Asked by whoever comes later: a Boolean. */
  private static final String OWNED = "contexts.owned";

  /** Told to whoever was there before. */
  private static final String TAKE = "contexts.take";

  private ContextOwner() {}

  /** An SDK says what threads are doing from now on. */
  public static void takeOver() {
    Rendezvous.answer(OWNED, _ -> true);
    for (BiFunction<String, Object, @Nullable Object> other : Rendezvous.others()) {
      var _ = other.apply(TAKE, "");
    }
  }

  /** Runs {@code stop} when an SDK takes over, at once if one has done so. */
  public static void whenTaken(Runnable stop) {
    Rendezvous.answer(
        TAKE,
        _ -> {
          stop.run();
          return null;
        });
    for (BiFunction<String, Object, @Nullable Object> other : Rendezvous.others()) {
      if (Boolean.TRUE.equals(other.apply(OWNED, ""))) {
        stop.run();
        return;
      }
    }
  }
}
