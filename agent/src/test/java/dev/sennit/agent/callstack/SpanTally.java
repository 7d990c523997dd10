/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.logs.v1.LogRecord;
import java.util.HexFormat;

/** Counts the stacks of {@link SpanBursts} whose ids are those of the span that they were in. */
final class SpanTally {
  private int inSpan;
  private int right;
  private int wrong;

  /**
   * Counts a stack.
   *
   * @return whether it is of a thread in a span
   */
  boolean judge(LogRecord record, ParsedStack stack) {
    String span = hex(record.getSpanId());
    boolean even = stack.isIn("inEvenSpan");
    if (!even && !stack.isIn("inOddSpan")) {
      wrong += stack.isIn("inNoSpan") && !span.isEmpty() ? 1 : 0;
      return false;
    }
    inSpan++;
    String trace = HexFormat.of().toHexDigits(stack.index()) + "0000000000000001";
    String kind = HexFormat.of().toHexDigits(even ? SpanBursts.EVEN : SpanBursts.ODD);
    if (span.equals(kind) && hex(record.getTraceId()).equals(trace)) {
      right++;
    } else if (!span.isEmpty()) {
      wrong++;
    }
    return true;
  }

  private static String hex(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  /** Stacks in spans. */
  int inSpan() {
    return inSpan;
  }

  /** Those of them that bear the ids of their span. */
  int right() {
    return right;
  }

  /** Stacks, in a span or in none, that bear the ids of a span that they were not in. */
  int wrong() {
    return wrong;
  }
}
