/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

/**
 * How spans are made.
 *
 * @param sampleRatio the share of traces that is sampled, of those that begin in user space
 * @param doubled what happens to a span of a request that an SDK in the process reports itself
 */
public record SpanSettings(double sampleRatio, Doubled doubled) {
  public static final SpanSettings DEFAULT = new SpanSettings(1, Doubled.DROP);

  /** What happens to a span that an SDK reports as well. */
  public enum Doubled {
    DROP,
    /** It becomes a child of the SDK's span. */
    CHILD
  }

  public SpanSettings {
    if (!(sampleRatio >= 0 && sampleRatio <= 1)) {
      throw new IllegalArgumentException("sample ratio " + sampleRatio + ": 0 to 1");
    }
  }
}
