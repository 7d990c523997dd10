/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The announced attribute keys, by index. It only grows, so that an index means the same key for
 * good.
 */
class AttributeKeys {
  private final int limit;
  private volatile List<AttributeKey> keys = List.of();

  AttributeKeys(int limit) {
    this.limit = limit;
  }

  /** The key of that name, announced now if it was not. */
  synchronized AttributeKey announce(String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("an attribute key must not be empty");
    }
    AttributeKey known = find(name);
    if (known != null) {
      return known;
    }
    if (keys.size() >= limit) {
      throw new IllegalStateException(
          "attribute key '"
              + name
              + "' cannot be announced: this storage mode holds "
              + limit
              + " keys and has "
              + names());
    }
    AttributeKey key = new AttributeKey(name, keys.size());
    List<AttributeKey> grown = new ArrayList<>(keys);
    grown.add(key);
    keys = List.copyOf(grown);
    return key;
  }

  @Nullable AttributeKey find(String name) {
    for (AttributeKey key : keys) {
      if (key.name().equals(name)) {
        return key;
      }
    }
    return null;
  }

  /** Whether {@code key} was made by this registry, and not by one of an earlier start. */
  boolean contains(AttributeKey key) {
    List<AttributeKey> known = keys;
    return key.index() >= 0
        && key.index() < known.size()
        && known.get(key.index()).name().equals(key.name());
  }

  List<String> names() {
    return keys.stream().map(AttributeKey::name).toList();
  }
}
