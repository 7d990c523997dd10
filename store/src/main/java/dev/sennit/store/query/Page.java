/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.List;

/**
 * The first of several.
 *
 * @param more whether there are others, which the limit has cut off
 */
public record Page<T>(List<T> items, boolean more) {
  public Page {
    items = List.copyOf(items);
  }

  /** Of a list that was asked for with one more than the limit. */
  static <T> Page<T> of(List<T> oneMore, int limit) {
    return oneMore.size() <= limit
        ? new Page<>(oneMore, false)
        : new Page<>(oneMore.subList(0, limit), true);
  }
}
