/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.bench.Samples;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostTableTest {
  private static final Measurement RUNNING = peer("set", "running", 1, 24, 20, 30);
  private static final Measurement OFF = peer("set", "off", 1, 21, 20, 22);

  @Test
  void aSetIsComparedWithTheFasterStateOfThePeer() {
    assertThat(row(ours("set", "otel", 1, 7.0), RUNNING, OFF))
        .isEqualTo(
            "| set | otel | 1 | 7.0 (6.0..8.0) | 9.0 | 0.00 | 21.0 (20.0..22.0) | off | 0.333"
                + " | <= 0.333 | yes |");
    assertThat(row(ours("set", "otep", 1, 7.1), RUNNING, OFF)).endsWith("| <= 0.333 | NO |");
  }

  @Test
  void otherModesAndOperationsAreComparedWithoutAGoal() {
    assertThat(row(ours("set", "profiler", 1, 14.0), OFF)).endsWith("| off | 0.667 |  |  |");
    assertThat(row(ours("clear", "otel", 1, 2.0), OFF, peer("clear", "off", 1, 8, 8, 8)))
        .endsWith("| off | 0.250 |  |  |");
  }

  @Test
  void whatThePeerDoesNotDoStandsAlone() {
    assertThat(row(ours("get", "otel", 1, 5.0), OFF))
        .isEqualTo("| get | otel | 1 | 5.0 (4.0..6.0) | 9.0 | 0.00 |  |  |  |  |  |");
    assertThat(row(ours("set", "otel", 2, 5.0), OFF)).endsWith("| 0.00 |  |  |  |  |  |");
  }

  @Test
  void theMiddleOfManySamplesSpeaks() {
    assertThat(Samples.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Samples(2, 1, 9));
    assertThat(Samples.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Samples(3, 1, 9));
  }

  private static String row(Measurement... measurements) {
    return new CostTable(List.of(measurements)).lines().get(2);
  }

  private static Measurement ours(String operation, String mode, int threads, double nanos) {
    return new Measurement(
        new Subject(false, operation, mode, threads),
        new Samples(nanos, nanos - 1, nanos + 1),
        new Samples(9, 9, 9),
        new Samples(0, 0, 0));
  }

  private static Measurement peer(
      String operation, String profiler, int threads, double nanos, double min, double max) {
    return new Measurement(
        new Subject(true, operation, profiler, threads),
        new Samples(nanos, min, max),
        new Samples(9, 9, 9),
        new Samples(0, 0, 0));
  }
}
