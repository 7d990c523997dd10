/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** A map of longs is like any map, but for its bound. */
final class LongMapTest {
  @Property
  void itHoldsWhatAnyMapHolds(@ForAll("steps") List<Long> steps) {
    LongMap map = new LongMap();
    Map<Long, Long> expected = new HashMap<>();
    for (long step : steps) {
      if (step < 0) {
        map.remove(-step);
        expected.remove(-step);
      } else {
        map.put(step, 7 * step);
        expected.put(step, 7 * step);
      }
      assertThat(map.size()).isEqualTo(expected.size());
    }
    for (long key = 1; key <= 60; key++) {
      assertThat(map.get(key)).isEqualTo(expected.getOrDefault(key, 0L));
    }
  }

  @Provide
  Arbitrary<List<Long>> steps() {
    return Arbitraries.longs().between(-60, 60).filter(step -> step != 0).list().ofMaxSize(300);
  }

  @Test
  void itForgetsRatherThanGrowsWithoutEnd() {
    LongMap map = new LongMap();
    for (long i = 1; i <= 1_000_000; i++) {
      map.put(i, i);
    }
    assertThat(map.size()).isBetween(1, 1 << 14);
    assertThat(map.get(1_000_000)).isEqualTo(1_000_000);
  }
}
