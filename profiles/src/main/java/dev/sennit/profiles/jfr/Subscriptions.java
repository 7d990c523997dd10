/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What to do with an event, by the number of its type. */
final class Subscriptions {
  /** Numbers of types are given one after another from 0 by every known writer. */
  private static final int DIRECT = 1 << 16;

  private @Nullable Subscription[] direct = new Subscription[0];
  private final Map<Long, Subscription> others = new HashMap<>();

  /** How to read an event, and into what. */
  record Subscription(FieldProgram program, FieldValues.Shape shape, EventLayout layout) {}

  void put(long type, Subscription subscription) {
    if (type >= 0 && type < DIRECT) {
      if (type >= direct.length) {
        direct = Arrays.copyOf(direct, (int) type + 1);
      }
      direct[(int) type] = subscription;
    } else {
      others.put(type, subscription);
    }
  }

  @Nullable Subscription get(long type) {
    if (type >= 0 && type < direct.length) {
      return direct[(int) type];
    }
    return others.isEmpty() ? null : others.get(type);
  }
}
