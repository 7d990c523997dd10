/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.bench.Samples;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DictionaryCostTablesTest {
  private static final Map<String, String> CELL = Map.of("uniqueEntries", "100", "hitRate", "0.5");

  @Test
  void stringsStandBesideBothMapsByWhicheverTimeIsWorse() {
    List<String> lines =
        lines(
            cost("DictionaryTableBenchmark.strings", CELL, 2_000, 2_400),
            cost("DictionaryTableBenchmark.stringsInHashMap", CELL, 4_000, 3_000),
            cost("DictionaryTableBenchmark.stringsInHashMapOnly", CELL, 2_500, 2_300));
    assertThat(lines)
        .contains(
            "| 100 | 0.5 | 10.0 (10.0..10.0) | 12.0 | 0 | 20.0 (20.0..20.0) | 15.0 | 0 | 0.80"
                + " | 12.5 (12.5..12.5) | 11.5 | 0 | 1.04 | <= 1 | NO |");
  }

  @Test
  void aStackIsAlsoCountedByItsFrames() {
    Map<String, String> cell = Map.of("stackDepth", "5", "uniqueStacks", "10");
    assertThat(lines(cost("StackTraceConversionBenchmark.convert", cell, 100, 100)))
        .contains("| 5 | 10 | 100.0 (100.0..100.0) | 20.0 | 0 |");
  }

  @Test
  void theEncoderHasALineForEachKindOfValue() {
    assertThat(
            lines(
                cost("ProtobufEncoderBenchmark.fixed64", Map.of(), 2, 3),
                cost("ProtobufEncoderBenchmark.varints", Map.of("bytes", "10"), 4, 5)))
        .contains(
            "| fixed64 | 2.0 (2.0..2.0) | 3.0 | 0 |",
            "| varints, bytes: 10 | 4.0 (4.0..4.0) | 5.0 | 0 |");
  }

  private static List<String> lines(Cost... costs) {
    return new DictionaryCostTables(List.of(costs)).lines();
  }

  private static Cost cost(
      String benchmark, Map<String, String> parameters, double cpu, double wall) {
    return new Cost(benchmark, parameters, exactly(cpu), exactly(wall), exactly(0));
  }

  private static Samples exactly(double value) {
    return new Samples(value, value, value);
  }
}
