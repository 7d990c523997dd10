/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {
  @Test
  void aListOfProcessorsHasNumbersAndRanges() {
    assertThat(Cores.parse("\t0-3,8\n")).containsExactly(0, 1, 2, 3, 8);
    assertThat(Cores.parse("5")).containsExactly(5);
  }

  @Test
  void threadsOfTheSameCoreAreTakenOnlyIfThereIsNoOtherCore() {
    assertThat(Cores.of(List.of(2, 3, 4, 5), one -> List.of(one, one + 1)))
        .isEqualTo(new Cores(2, 4));
    assertThat(Cores.of(List.of(2, 3), one -> List.of(one, one + 1))).isEqualTo(new Cores(2, 3));
    assertThat(Cores.of(List.of(0, 1), List::of)).isEqualTo(new Cores(0, 1));
  }
}
