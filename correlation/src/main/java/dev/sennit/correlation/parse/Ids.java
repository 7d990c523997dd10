/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.correlation.record.SpanContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a span in a line, which come one by one. They count only when both are there, whole,
 * and not zero.
 */
final class Ids {
  /** What a writer that prints ids at all has most likely recorded. */
  private static final int SAMPLED = 1;

  private static final int TRACE_DIGITS = 32;
  private static final int SPAN_DIGITS = 16;

  private long traceHigh;
  private long traceLow;
  private long spanId;
  private int flags = SAMPLED;
  private long datadogHigh;
  private long datadogLow;
  private long datadogSpan;
  private @Nullable List<String> names;

  void clear() {
    traceHigh = 0;
    traceLow = 0;
    spanId = 0;
    flags = SAMPLED;
    datadogHigh = 0;
    datadogLow = 0;
    datadogSpan = 0;
    names = null;
  }

  boolean trace(byte[] bytes, int from, int to) {
    if (to - from != TRACE_DIGITS || !Ascii.isHex(bytes, from, to)) {
      return false;
    }
    traceHigh = Ascii.hexNumber(bytes, from, from + SPAN_DIGITS);
    traceLow = Ascii.hexNumber(bytes, from + SPAN_DIGITS, to);
    return true;
  }

  boolean span(byte[] bytes, int from, int to) {
    if (to - from != SPAN_DIGITS || !Ascii.isHex(bytes, from, to)) {
      return false;
    }
    spanId = Ascii.hexNumber(bytes, from, to);
    return true;
  }

  /** Datadog's own id of the trace, which is half of it unless it has all digits. */
  boolean datadogTrace(byte[] bytes, int from, int to) {
    if (to - from != TRACE_DIGITS || !Ascii.isHex(bytes, from, to)) {
      return false;
    }
    datadogHigh = Ascii.hexNumber(bytes, from, from + SPAN_DIGITS);
    datadogLow = Ascii.hexNumber(bytes, from + SPAN_DIGITS, to);
    return true;
  }

  /** Datadog's id of the span, in decimal digits. */
  boolean datadogSpan(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length < 1 || length > 20 || Ascii.digitsEnd(bytes, from, to) != to) {
      return false;
    }
    long value = 0;
    for (int i = from; i < to; i++) {
      value = value * 10 + (bytes[i] - '0');
    }
    datadogSpan = value;
    return true;
  }

  /** Two hexadecimal digits, or a decimal one. */
  boolean flags(byte[] bytes, int from, int to) {
    if (to - from < 1 || to - from > 2 || !Ascii.isHex(bytes, from, to)) {
      return false;
    }
    flags = (int) Ascii.hexNumber(bytes, from, to);
    return true;
  }

  void sampled(boolean yes) {
    flags = yes ? SAMPLED : 0;
  }

  /** As W3C has it: {@code 00-TRACE-SPAN-FLAGS}. */
  boolean traceparent(byte[] bytes, int from, int to) {
    return to - from == 55
        && bytes[from + 2] == '-'
        && bytes[from + 35] == '-'
        && bytes[from + 52] == '-'
        && trace(bytes, from + 3, from + 35)
        && span(bytes, from + 36, from + 52)
        && flags(bytes, from + 53, to);
  }

  /** {@code TRACE-SPAN}, as Micrometer has it, or nothing but blanks where it has no span. */
  boolean joined(byte[] bytes, int from, int to) {
    return to - from == TRACE_DIGITS + 1 + SPAN_DIGITS
        && bytes[from + TRACE_DIGITS] == '-'
        && trace(bytes, from, from + TRACE_DIGITS)
        && span(bytes, from + TRACE_DIGITS + 1, to);
  }

  /** Remembers an attribute that is superfluous if there is a span in the end. */
  void saidBy(String name) {
    List<String> all = names;
    if (all == null) {
      all = new ArrayList<>(4);
      names = all;
    }
    all.add(name);
  }

  List<String> names() {
    List<String> all = names;
    return all == null ? List.of() : all;
  }

  boolean isEmpty() {
    return (traceHigh | traceLow) == 0 && spanId == 0;
  }

  /** The span, or null. Ids of two kinds are never mixed: they may be of two tracers. */
  @Nullable SpanContext span() {
    if ((traceHigh | traceLow) != 0 && spanId != 0) {
      return new SpanContext(traceHigh, traceLow, spanId, flags);
    }
    return (datadogHigh | datadogLow) == 0 || datadogSpan == 0
        ? null
        : new SpanContext(datadogHigh, datadogLow, datadogSpan, flags);
  }
}
