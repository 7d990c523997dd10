/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The values of tags by number, since a tag of mode {@code profiler} has 32 bits. Bounded; number 0
 * is no value.
 */
final class TagValues {
  static final int MAX_VALUES = 1 << 16;

  private final ConcurrentHashMap<String, Integer> encodings = new ConcurrentHashMap<>();
  private final AtomicReferenceArray<@Nullable String> values =
      new AtomicReferenceArray<>(MAX_VALUES + 1);
  private final AtomicInteger last = new AtomicInteger();

  /** The number of a value; 0 when there are too many of them. */
  int encode(String value) {
    Integer known = encodings.get(value);
    return known != null ? known : encodeNew(value);
  }

  private int encodeNew(String value) {
    if (last.get() >= MAX_VALUES) {
      return 0;
    }
    Integer encoding =
        encodings.computeIfAbsent(
            value,
            text -> {
              int next = last.incrementAndGet();
              if (next > MAX_VALUES) {
                return 0;
              }
              values.set(next, text);
              return next;
            });
    if (encoding == 0) {
      encodings.remove(value, encoding);
    }
    return encoding;
  }

  @Nullable String decode(int encoding) {
    return encoding <= 0 || encoding > MAX_VALUES ? null : values.get(encoding);
  }
}
