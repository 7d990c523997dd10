/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Tells what people give by mistake from its first bytes, none of which begins a message. */
final class OtherFormat {
  private OtherFormat() {}

  /** What it is, for a message; null if it may be what was asked for. */
  static @Nullable String of(MemorySegment bytes) {
    if (bytes.byteSize() == 0) {
      return "it is empty";
    }
    if (starts(bytes, '{') || starts(bytes, '[')) {
      return "it is JSON";
    }
    if (starts(bytes, 'F', 'L', 'R', 0)) {
      return "it is a JFR recording; sennit convert makes OTLP of it";
    }
    if (starts(bytes, 0x1f, 0x8b)) {
      return "it is compressed with gzip; unpack it first";
    }
    return starts(bytes, 'P', 'K', 3, 4) ? "it is a zip; unpack it first" : null;
  }

  private static boolean starts(MemorySegment bytes, int... expected) {
    if (bytes.byteSize() < expected.length) {
      return false;
    }
    for (int i = 0; i < expected.length; i++) {
      if ((bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff) != expected[i]) {
        return false;
      }
    }
    return true;
  }
}
