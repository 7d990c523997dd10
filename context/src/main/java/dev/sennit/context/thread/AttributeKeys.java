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

  /** Announces what a registry before this one had, as far as there is room. */
  synchronized void adopt(List<String> names) {
    for (String name : names) {
      if (keys.size() < limit) {
        announce(name);
      }
    }
  }

  @Nullable AttributeKey find(String name) {
    for (AttributeKey key : keys) {
      if (key.name().equals(name)) {
        return key;
      }
    }
    return null;
  }

  /**
   * The key as it is here: whoever made {@code key} may have given it another place, as a storage
   * does that was replaced by this one's. Null when it is not announced here.
   */
  @Nullable AttributeKey find(AttributeKey key) {
    List<AttributeKey> known = keys;
    return key.index() >= 0
            && key.index() < known.size()
            && known.get(key.index()).name().equals(key.name())
        ? key
        : find(key.name());
  }

  List<String> names() {
    return keys.stream().map(AttributeKey::name).toList();
  }
}
