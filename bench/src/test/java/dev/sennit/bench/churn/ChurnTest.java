/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.churn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.thread.ContextStorageMode;
import dev.sennit.testing.Requires;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The short form of {@link ShortLivedThreads}; memory is judged by the long one only. */
@Requires
class ChurnTest {
  @ParameterizedTest
  @EnumSource
  void threadsThatEndLeaveNoUsedSlot(ContextStorageMode mode) {
    Churn churn = Churn.run(mode.optionValue(), 1_000);
    assertThat(churn.usedSlots()).isZero();
    assertThat(churn.late().anonymous()).isPositive().isLessThan(churn.late().resident());
  }
}
