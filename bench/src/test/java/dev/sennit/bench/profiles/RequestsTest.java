/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestsTest {
  @ParameterizedTest
  @CsvSource({"100, 0.0, 100", "100, 0.5, 200", "1000, 0.95, 20000", "10000, 0.95, 200000"})
  void eachEntryIsNewOnceAndTheOthersAreHits(int unique, double hitRate, int expected) {
    int[] requests = Requests.of(unique, hitRate);
    assertThat(requests).hasSize(expected);
    int known = 0;
    for (int request : requests) {
      assertThat(request).isLessThanOrEqualTo(known);
      if (request == known) {
        known++;
      }
    }
    assertThat(known).isEqualTo(unique);
  }
}
