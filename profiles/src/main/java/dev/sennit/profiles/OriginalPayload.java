/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.List;

/**
 * The recording that a profile was made from, to travel with it. It is read when it is written, so
 * that mapped files need no heap; several files follow each other, as chunks of a recording do.
 */
public final class OriginalPayload {
  private final String format;
  private final List<MemorySegment> parts;
  private final long length;

  /** A payload in a format, "jfr" for JFR; both have to be there. */
  public OriginalPayload(String format, List<MemorySegment> parts) {
    this.format = format;
    this.parts = List.copyOf(parts);
    this.length = parts.stream().mapToLong(MemorySegment::byteSize).sum();
    if (format.isEmpty() || length == 0) {
      throw new IllegalArgumentException(
          "an original payload needs both format and bytes; the format is '"
              + format
              + "', the bytes are "
              + length);
    }
  }

  public static OriginalPayload jfr(MemorySegment... recordings) {
    return new OriginalPayload("jfr", List.of(recordings));
  }

  public String format() {
    return format;
  }

  public long length() {
    return length;
  }

  InputStream open() {
    return new SequenceInputStream(Collections.enumeration(parts.stream().map(Part::new).toList()));
  }

  private static final class Part extends InputStream {
    private final MemorySegment segment;
    private long at;

    Part(MemorySegment segment) {
      this.segment = segment;
    }

    @Override
    public int read() {
      return at == segment.byteSize() ? -1 : segment.get(ValueLayout.JAVA_BYTE, at++) & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int count = (int) Math.min(length, segment.byteSize() - at);
      if (count == 0 && length > 0) {
        return -1;
      }
      MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, target, offset, count);
      at += count;
      return count;
    }
  }
}
