/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A map that forgets what was used longest ago when it has become too large. */
final class Recent<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1;
  private final int capacity;
  private final transient Consumer<V> forgotten;

  Recent(int capacity, Consumer<V> forgotten) {
    super(16, 0.75f, true);
    this.capacity = capacity;
    this.forgotten = forgotten;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    boolean full = size() > capacity;
    if (full) {
      forgotten.accept(eldest.getValue());
    }
    return full;
  }
}
