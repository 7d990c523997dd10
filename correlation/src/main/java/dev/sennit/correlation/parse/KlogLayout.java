/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.correlation.record.Severity;
import dev.sennit.otlp.AttributeValue;
import org.jspecify.annotations.Nullable;

/** {@code I1115 18:02:40.123456 PID file.go:12] message}, of klog and glog. */
final class KlogLayout implements Layout {
  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    @Nullable Level level = begins(bytes, line.from, line.end);
    if (level == null || !line.times.readMonthDay(bytes, line.from + 1, line.end, line.written)) {
      return false;
    }
    int at = Ascii.skipBlanks(bytes, line.times.end, line.end);
    int pidEnd = Ascii.digitsEnd(bytes, at, line.end);
    int close = Ascii.find(bytes, pidEnd, Math.min(line.end, pidEnd + 256), ']');
    int colon = close < 0 ? -1 : Ascii.find(bytes, pidEnd, close, ':');
    if (pidEnd == at || colon < 0) {
      return false;
    }
    draft.time = line.times.nanos;
    draft.level(level);
    draft.pid(Ascii.number(bytes, at, pidEnd));
    draft.putName("code.file.path", bytes, pidEnd + 1, colon);
    draft.put("code.line.number", AttributeValue.of(Ascii.number(bytes, colon + 1, close)));
    int body = Math.min(line.end, close + 2);
    Mentions.find(bytes, body, line.end, draft);
    draft.body(bytes, body, line.to);
    return true;
  }

  /** The level of a line that begins as these do: its letter, the month and the day. */
  static @Nullable Level begins(byte[] bytes, int from, int to) {
    if (to - from < 20 || Ascii.digits(bytes, from + 1, to, 4) < 0 || bytes[from + 5] != ' ') {
      return null;
    }
    return switch (bytes[from]) {
      case 'I' -> new Level("I", Severity.INFO);
      case 'W' -> new Level("W", Severity.WARN);
      case 'E' -> new Level("E", Severity.ERROR);
      case 'F' -> new Level("F", Severity.FATAL);
      default -> null;
    };
  }
}
