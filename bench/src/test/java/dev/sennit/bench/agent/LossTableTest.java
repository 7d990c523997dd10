/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LossTableTest {
  private static final int FAST = 100_000;

  private static List<Served> served(double... perSecond) {
    return Arrays.stream(perSecond).mapToObj(rate -> new Served(rate, 1e6 / rate)).toList();
  }

  private static Map<Subject, List<Served>> runs() {
    Map<Subject, List<Served>> runs = new EnumMap<>(Subject.class);
    for (Subject subject : Subject.values()) {
      runs.put(subject, served(FAST, FAST, FAST));
    }
    runs.put(Subject.SENNIT, served(0.99 * FAST, 0.985 * FAST, 0.97 * FAST));
    runs.put(Subject.DATADOG, served(0.9 * FAST, 0.9 * FAST, 0.9 * FAST));
    runs.put(Subject.SPLUNK, served(0.95 * FAST, 0.95 * FAST, 0.95 * FAST));
    return runs;
  }

  @Test
  void eachIsComparedWithItselfWithoutProfilerPairByPair() {
    assertThat(new LossTable(runs()).print())
        .contains(
            "| no agent | 100000 (100000..100000) | 800000 | 10.0 (10.0..10.0) | | | | |\n",
            "| Sennit, async-profiler | 98500 (97000..99000) | 788000 | 10.2 (10.1..10.3)"
                + " | 1.5 (1.0..3.0) | 1.5 (1.0..3.1) | <= 2, less than both | yes |\n",
            "| dd-java-agent | 90000 (90000..90000) | 720000 | 11.1 (11.1..11.1)"
                + " | 10.0 (10.0..10.0) | 11.1 (11.1..11.1) | | |\n");
  }

  @Test
  void theGoalIsMissedByTooMuchLossByMoreThanAPeersAndByTooFewSpans() {
    assertThat(new LossTable(runs()).isMet()).isTrue();
    Map<Subject, List<Served>> much = runs();
    much.put(Subject.SENNIT, served(0.97 * FAST, 0.97 * FAST, 0.97 * FAST));
    assertThat(new LossTable(much).isMet()).isFalse();
    Map<Subject, List<Served>> more = runs();
    more.put(Subject.SPLUNK, served(0.99 * FAST, 0.99 * FAST, 0.99 * FAST));
    assertThat(new LossTable(more).isMet()).isFalse();
    Map<Subject, List<Served>> few = runs();
    few.put(Subject.NO_AGENT, served(20_000, 20_000, 20_000));
    assertThat(new LossTable(few).isMet()).isFalse();
  }
}
