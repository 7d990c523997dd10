/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.reader.ThreadRecord;
import java.util.HexFormat;

/** Ids as W3C Trace Context writes them: lower-case hexadecimal digits, leading zeros kept. */
final class Ids {
  private static final HexFormat HEX = HexFormat.of();

  private Ids() {}

  static String traceId(ThreadRecord thread) {
    return HEX.toHexDigits(thread.traceIdHigh()) + HEX.toHexDigits(thread.traceIdLow());
  }

  static String spanId(long spanId) {
    return HEX.toHexDigits(spanId);
  }

  static String flags(int flags) {
    return HEX.toHexDigits((byte) flags);
  }
}
