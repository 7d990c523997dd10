/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names content by itself, so that equal stacks are stored once whoever sends them. What is hashed
 * comes from strangers, who must not be able to make two stacks one: hence SHA-256, of which 64
 * bits are enough for what fits into a store.
 */
final class ContentHash {
  private final MessageDigest digest;
  private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);

  ContentHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  long of(@Nullable String text) {
    add(text);
    return result();
  }

  long of(@Nullable String name, @Nullable String file, long line, @Nullable String kind) {
    add(name);
    add(file);
    add(line);
    add(kind);
    return result();
  }

  long of(List<Long> numbers) {
    numbers.forEach(this::add);
    return result();
  }

  private void add(@Nullable String text) {
    if (text == null) {
      add(-1);
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    add(bytes.length);
    digest.update(bytes);
  }

  private void add(long value) {
    digest.update(number.putLong(0, value).array());
  }

  private long result() {
    return ByteBuffer.wrap(digest.digest()).getLong();
  }
}
