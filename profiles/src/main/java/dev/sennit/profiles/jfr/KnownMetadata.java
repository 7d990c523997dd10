/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The types of the chunk that was read last. Most chunks of a recording have the metadata of the
 * one before to the byte, and comparing them is far cheaper than reading them. Safe for use by
 * several threads.
 */
final class KnownMetadata {
  /** Twenty times that of a JVM; more is not kept. */
  private static final int LONGEST = 2 << 20;

  private MemorySegment content = MemorySegment.NULL;
  private @Nullable JfrTypes types;

  /** The types that were read from the same bytes, or null. */
  synchronized @Nullable JfrTypes get(MemorySegment another) {
    return types != null && content.mismatch(another) == -1 ? types : null;
  }

  synchronized void put(MemorySegment another, JfrTypes read) {
    if (another.byteSize() <= LONGEST) {
      content = MemorySegment.ofArray(another.toArray(JAVA_BYTE));
      types = read;
    }
  }
}
