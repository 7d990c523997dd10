/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** Puts a name to the first bytes of a file that is no recording. */
final class Magic {
  private Magic() {}

  /** What {@code bytes} starts with, for a message. */
  static String describe(ByteBuffer bytes) {
    byte[] start = new byte[Math.min(4, bytes.limit())];
    bytes.get(0, start);
    String known = known(start);
    return "starts with "
        + HexFormat.ofDelimiter(" ").formatHex(start)
        + (known.isEmpty() ? "" : " (" + known + ")");
  }

  private static String known(byte[] start) {
    int first = start.length > 0 ? start[0] & 0xff : -1;
    int second = start.length > 1 ? start[1] & 0xff : -1;
    if (first == 'P' && second == 'K') {
      return "PK, a zip: unpack it first";
    }
    if (first == 0x1f && second == 0x8b) {
      return "gzip: unpack it first";
    }
    if (first == 0x28 && second == 0xb5) {
      return "zstd: unpack it first";
    }
    if (first == 0x04 && second == 0x22) {
      return "lz4: unpack it first";
    }
    return "";
  }
}
