/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.thread.ContextOptions;
import dev.sennit.context.thread.ContextStorageMode;
import dev.sennit.context.thread.RingDescriptor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingPlacementTest {
  @ParameterizedTest
  @CsvSource({"4001, 4002", "4002, 4003", "4000, 4777", "70000, 70001", "4194303, 4190012"})
  void twoThreadsShareALineOrDoNotAsAsked(int one, int other) {
    RingPlacement placement = new RingPlacement();
    placement.add(one);
    placement.add(other);
    assertThat(bytesApart(placement.options("otel"), one, other)).isNotZero();
    assertThat(bytesApart(placement.options(RingPlacement.SHARED_LINE), one, other)).isZero();
    assertThat(placement.options(RingPlacement.SHARED_LINE).mode())
        .isEqualTo(ContextStorageMode.OTEL);
  }

  /** Between the cache lines of two slots, which are never the same slot. */
  private static long bytesApart(ContextOptions options, int one, int other) {
    long first = RingDescriptor.slotOffset(one, options.capacity());
    long second = RingDescriptor.slotOffset(other, options.capacity());
    assertThat(first).isNotEqualTo(second);
    return first / 64 * 64 - second / 64 * 64;
  }
}
