/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How often each of some things came. Counted on one thread, read on any. */
public final class Counters<K extends Enum<K>> {
  private final Map<K, LongAdder> counts;

  public Counters(Class<K> kinds) {
    counts = new EnumMap<>(kinds);
    for (K kind : kinds.getEnumConstants()) {
      counts.put(kind, new LongAdder());
    }
  }

  public void add(K kind) {
    LongAdder count = counts.get(kind);
    if (count != null) {
      count.increment();
    }
  }

  public long get(K kind) {
    LongAdder count = counts.get(kind);
    return count == null ? 0 : count.sum();
  }

  public Map<K, Long> all() {
    Map<K, Long> all = new EnumMap<>(counts.keySet().iterator().next().getDeclaringClass());
    counts.forEach((kind, count) -> all.put(kind, count.sum()));
    return all;
  }
}
