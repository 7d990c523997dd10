/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A map that forgets what was used longest ago when it has become too large. */
public final class Recent<K, V> {
  private final Map<K, V> entries;

  /**
   * @param most how many are kept
   */
  public Recent(int most) {
    entries =
        new LinkedHashMap<>(4, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  public @Nullable V get(K key) {
    return entries.get(key);
  }

  public void put(K key, V value) {
    entries.put(key, value);
  }

  public V computeIfAbsent(K key, Function<? super K, ? extends V> maker) {
    return entries.computeIfAbsent(key, maker);
  }

  public void remove(K key) {
    entries.remove(key);
  }

  public void clear() {
    entries.clear();
  }
}
