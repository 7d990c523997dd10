/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a connection has named and may refer to again; the least used is forgotten first. */
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

  public void remove(K key) {
    entries.remove(key);
  }

  public void clear() {
    entries.clear();
  }

  public int size() {
    return entries.size();
  }
}
