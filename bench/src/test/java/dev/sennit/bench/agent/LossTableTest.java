/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sennit.bench.agent.Served.Reading;
import dev.sennit.bench.agent.SwappedRounds.Round;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LossTableTest {
  private static final Offset<Double> NEARLY = within(1e-3);

  @Test
  void aCoreThatIsSlowerCancels() {
    SwappedRounds rounds =
        new SwappedRounds(
            new Round(served(40_000), served(0.98 * 30_000)),
            new Round(served(30_000), served(0.98 * 40_000)));
    assertThat(rounds.lostPercent()).isCloseTo(2, NEARLY);
    assertThat(rounds.moreCpuPercent()).isCloseTo(100 / 0.98 - 100, NEARLY);
  }

  @Test
  void aMomentInWhichOneIsDisturbedDoesNotCount() {
    Round calm = new Round(served(30_000), served(0.98 * 30_000));
    Round disturbed = new Round(served(30_000), served(10_000));
    PairRun run =
        new PairRun(
            List.of(
                new SwappedRounds(calm, calm),
                new SwappedRounds(calm, disturbed),
                new SwappedRounds(calm, calm)));
    assertThat(run.lostPercent()).isCloseTo(2, NEARLY);
    assertThat(run.print()).startsWith("2.0 % lost (2.0..42.8), 2.0 % more CPU");
  }

  @Test
  void couplesInWhichOthersHadACoreAreReplacedByCalmOnes() {
    Round calm = new Round(served(30_000), served(29_000));
    Round shared = new Round(served(30_000), share(20_000, 60));
    Round nothing = new Round(share(0, 0), served(30_000));
    SwappedRounds first = new SwappedRounds(calm, calm);
    SwappedRounds second = new SwappedRounds(calm, shared);
    SwappedRounds third = new SwappedRounds(nothing, calm);
    List<SwappedRounds> measured = List.of(third, second, first, first);
    assertThat(PairRun.calmest(measured, 2).couples()).containsExactly(first, first);
    assertThat(PairRun.calmest(measured, 4).couples()).containsExactly(first, first, second);
    assertThatThrownBy(() -> PairRun.calmest(List.of(third), 1))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aJvmThatIsNotWarmYetDoesMoreLater() {
    Round early = new Round(served(20_000), served(10_000));
    Round late = new Round(served(20_000), served(11_000));
    PairRun run =
        new PairRun(List.of(new SwappedRounds(early, early), new SwappedRounds(late, late)));
    assertThat(run.driftPercent(Round::without)).isCloseTo(0, NEARLY);
    assertThat(run.driftPercent(Round::with)).isCloseTo(10, NEARLY);
  }

  @Test
  void theMediansDecideAndTheIntervalsSayWhenTheyCannotTell() {
    LossTable table =
        table(
            List.of(1.0, 1.1, 1.2, 1.3, 4.0),
            List.of(3.0, 1.2, 5.0, 6.0, 7.0),
            List.of(8.0, 8.1, 8.2, 8.3, 8.4));
    assertThat(table.print())
        .contains("| Sennit, async-profiler | 5 | 1.2 | 1.0..4.0 | 1.1..1.3 | 1.0..4.0 | ")
        .contains("| Sennit, async-profiler loses at most 2 % | 1.2 | yes, within the interval |")
        .contains("| and less than dd-java-agent | 1.2 beside 5.0 | yes, within the interval |")
        .contains("| and less than splunk-otel-javaagent | 1.2 beside 8.2 | yes |")
        .contains("| at 200,000 span switches/s or more, without an agent | 240,000 | yes |");
    assertThat(table.isMet()).isTrue();
  }

  @Test
  void aMedianThatIsTooHighIsNoEvenWithinTheInterval() {
    LossTable table =
        table(
            List.of(1.0, 1.1, 2.2, 2.3, 4.0),
            List.of(3.0, 3.0, 5.0, 6.0, 7.0),
            List.of(2.2, 2.2, 2.2, 2.2, 2.2));
    assertThat(table.print())
        .contains("loses at most 2 % | 2.2 | NO, within the interval |")
        .contains("| and less than splunk-otel-javaagent | 2.2 beside 2.2 | NO, within the");
    assertThat(table.isMet()).isFalse();
  }

  @Test
  void theGoalIsMissedByTooMuchLossByMoreThanAPeersAndByTooFewSpans() {
    assertThat(table(List.of(1.5), List.of(10.0), List.of(5.0)).isMet()).isTrue();
    assertThat(table(List.of(3.0), List.of(10.0), List.of(5.0)).isMet()).isFalse();
    assertThat(table(List.of(1.5), List.of(1.0), List.of(5.0)).isMet()).isFalse();
    assertThat(table(List.of(1.5), List.of(10.0), List.of(1.0)).isMet()).isFalse();
    Map<Pair, List<PairRun>> few = measured(List.of(1.5), List.of(10.0), List.of(5.0));
    Round slow = new Round(served(20_000), served(20_000));
    few.put(Pair.SENNIT_ALONE, List.of(run(slow)));
    assertThat(new LossTable(few).isMet()).isFalse();
  }

  @Test
  void anAgentIsDescribedByItsRunsInAllPairs() {
    assertThat(table(List.of(10.0, 20.0), List.of(3.0), List.of(3.0)).print())
        .contains(
            "| no agent | 2 | 30000 | 30000..30000 | 30000..30000 | 240000 | 33.3 | 100 | 0.0 |\n",
            "| Sennit, off | 10 | 30000 | 30000..30000 | 30000..30000 | 240000 | 33.3 | 100 | 0.0"
                + " |",
            "| Sennit, async-profiler | 4 | 25500 | 24000..27000 | 24000..27000 | 204000 |");
  }

  @Test
  void fewPairsCannotTell() {
    assertThat(table(List.of(1.0), List.of(3.0), List.of(3.0)).print())
        .contains("| Sennit, async-profiler | 1 | 1.0 | too few | ")
        .contains("| and less than dd-java-agent | 1.0 beside 3.0 | yes, too few pairs to tell |");
  }

  @Test
  void slicesAddUp() {
    Round slow = new Round(served(20_000), served(10_000));
    Round fast = new Round(served(40_000), share(20_000, 50));
    SwappedRounds sum = new SwappedRounds(slow, fast).plus(new SwappedRounds(fast, slow));
    assertThat(sum.rounds())
        .allSatisfy(
            round -> {
              assertThat(round.without().perSecond()).isCloseTo(30_000, NEARLY);
              assertThat(round.with().perSecond()).isCloseTo(15_000, NEARLY);
              assertThat(round.with().processorPercent()).isCloseTo(75, NEARLY);
              assertThat(round.with().cpuMicros()).isCloseTo(50, NEARLY);
              assertThat(round.overlap()).isEqualTo(1);
            });
    assertThat(sum.lostPercent()).isCloseTo(50, NEARLY);
  }

  @Test
  void roundsSayHowFarTheirTimesWereTheSame() {
    assertThat(new Round(served(1_000), served(2_000)).overlap()).isEqualTo(1);
    Served later = Served.of(new Reading(0, 1_000_000_000, 0), new Reading(2, 3_000_000_000L, 2));
    Round late = new Round(served(1_000), later);
    assertThat(late.overlap()).isCloseTo(1 / 3.0, NEARLY);
    assertThat(new Round(served(1_000), served(1_000)).plus(late).overlap())
        .isCloseTo(1 / 3.0, NEARLY);
  }

  private static LossTable table(List<Double> sennit, List<Double> datadog, List<Double> splunk) {
    return new LossTable(measured(sennit, datadog, splunk));
  }

  private static Map<Pair, List<PairRun>> measured(
      List<Double> sennit, List<Double> datadog, List<Double> splunk) {
    Map<Pair, List<PairRun>> measured = new EnumMap<>(Pair.class);
    measured.put(Pair.SENNIT_ALONE, losing(List.of(0.0)));
    measured.put(Pair.SENNIT, losing(sennit));
    measured.put(Pair.SENNIT_JFR, losing(sennit));
    measured.put(Pair.DATADOG, losing(datadog));
    measured.put(Pair.SPLUNK, losing(splunk));
    return measured;
  }

  private static List<PairRun> losing(List<Double> percents) {
    return percents.stream()
        .map(percent -> new Round(served(30_000), served(30_000 * (1 - percent / 100))))
        .map(LossTableTest::run)
        .toList();
  }

  private static PairRun run(Round round) {
    return new PairRun(List.of(new SwappedRounds(round, round)));
  }

  /** Two seconds of one processor. */
  private static Served served(double perSecond) {
    return share(perSecond, 100);
  }

  /** Two seconds of a part of one. */
  private static Served share(double perSecond, int percent) {
    return Served.of(
        new Reading(0, 0, 0),
        new Reading(Math.round(2 * perSecond), 2_000_000_000, 20_000_000L * percent));
  }
}
