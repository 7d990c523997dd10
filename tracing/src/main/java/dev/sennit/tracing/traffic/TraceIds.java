/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

import java.util.HexFormat;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a span as W3C Trace Context and OTLP have them: the trace, the span, and the span
 * above it; 0 where there is none.
 *
 * @param traceHigh the first eight bytes of the trace id
 * @param traceLow the last eight bytes of the trace id
 * @param parentId 0 for the root of a trace
 * @param flags of the trace; bit 0: sampled
 */
public record TraceIds(long traceHigh, long traceLow, long spanId, long parentId, int flags) {
  private static final int SAMPLED = 1;
  private static final int LENGTH = 55;
  private static final HexFormat HEX = HexFormat.of();

  /** The ids of a valid {@code traceparent}, whose span is the span here; null for any other. */
  public static @Nullable TraceIds parse(String traceparent) {
    String text = traceparent.strip();
    boolean longer = text.length() > LENGTH && !text.startsWith("00") && text.charAt(LENGTH) == '-';
    if ((text.length() != LENGTH && !longer)
        || text.charAt(2) != '-'
        || text.charAt(35) != '-'
        || text.charAt(52) != '-'
        || text.startsWith("ff")) {
      return null;
    }
    for (int i = 0; i < LENGTH; i++) {
      char c = text.charAt(i);
      boolean digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      if (!digit && i != 2 && i != 35 && i != 52) {
        return null;
      }
    }
    long high = HexFormat.fromHexDigitsToLong(text, 3, 19);
    long low = HexFormat.fromHexDigitsToLong(text, 19, 35);
    long span = HexFormat.fromHexDigitsToLong(text, 36, 52);
    if ((high | low) == 0 || span == 0) {
      return null;
    }
    return new TraceIds(high, low, span, 0, HexFormat.fromHexDigits(text, 53, 55));
  }

  /** A span of its own trace. */
  public static TraceIds root(SplittableRandom random, boolean sampled) {
    return new TraceIds(random.nextLong(), id(random), id(random), 0, sampled ? SAMPLED : 0);
  }

  /** A new span below this one. */
  public TraceIds child(SplittableRandom random) {
    return new TraceIds(traceHigh, traceLow, id(random), spanId, flags);
  }

  private static long id(SplittableRandom random) {
    long id;
    do {
      id = random.nextLong();
    } while (id == 0);
    return id;
  }

  public boolean isSampled() {
    return (flags & SAMPLED) != 0;
  }

  public boolean isSameTrace(TraceIds other) {
    return traceHigh == other.traceHigh && traceLow == other.traceLow;
  }

  /** As people write it, 32 digits. */
  public String traceId() {
    return HEX.toHexDigits(traceHigh) + HEX.toHexDigits(traceLow);
  }

  @Override
  public String toString() {
    return "00-" + traceId() + "-" + HEX.toHexDigits(spanId) + "-" + HEX.toHexDigits((byte) flags);
  }
}
