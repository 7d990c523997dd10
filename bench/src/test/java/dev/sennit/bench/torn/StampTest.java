/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StampTest {
  private static final long ONE = 12_345_678_901L;

  /** The write after {@link #ONE} to the same slot. */
  private static final long OTHER = ONE + HammeredRing.SLOTS;

  private static final int SLOT = (int) (ONE % HammeredRing.SLOTS);

  @Test
  void whatOneWriteWroteIsWhole() {
    assertThat(isWhole(SLOT, ONE, ONE, ONE, ONE)).isTrue();
    assertThat(Stamp.number(Stamp.traceIdHigh(ONE))).isEqualTo(ONE);
  }

  @Test
  void anyPartOfTheNextWriteShows() {
    assertThat(isWhole(SLOT, OTHER, ONE, ONE, ONE)).isFalse();
    assertThat(isWhole(SLOT, ONE, OTHER, ONE, ONE)).isFalse();
    assertThat(isWhole(SLOT, ONE, ONE, OTHER, ONE)).isFalse();
    assertThat(isWhole(SLOT, ONE, ONE, ONE, OTHER)).isFalse();
  }

  @Test
  void idsOfAnotherSlotShow() {
    assertThat(isWhole(SLOT + 1, ONE, ONE, ONE, ONE)).isFalse();
  }

  private static boolean isWhole(int slot, long high, long low, long span, long flags) {
    return Stamp.isWhole(
        slot,
        Stamp.traceIdHigh(high),
        Stamp.traceIdLow(low),
        Stamp.spanId(span),
        Stamp.flags(flags));
  }
}
