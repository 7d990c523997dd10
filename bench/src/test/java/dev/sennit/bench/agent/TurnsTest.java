/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.bench.agent.Served.Reading;
import dev.sennit.bench.agent.SwappedRounds.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private static final List<Pair> FORTH = List.of(Pair.values());
  private static final List<Pair> BACK = FORTH.reversed();

  private final List<Pair> order = new ArrayList<>();
  private final AtomicInteger pauses = new AtomicInteger();

  @Test
  void everySecondTurnIsInReverse() {
    Turns turns = turns(3, _ -> false);
    turns.take();
    assertThat(order).containsExactlyElementsOf(joined(List.of(FORTH, BACK, FORTH)));
    assertThat(turns.calmest()).allSatisfy((_, runs) -> assertThat(runs).hasSize(3));
    assertThat(turns.leftOut()).isZero();
    assertThat(pauses).hasValue(0);
  }

  @Test
  void aDisturbedPairAloneIsMeasuredAgainAndLeftOut() {
    Turns turns = turns(2, number -> number == 1);
    turns.take();
    assertThat(order)
        .containsExactlyElementsOf(joined(List.of(FORTH, BACK, List.of(FORTH.get(1)))));
    assertThat(turns.calmest().get(FORTH.get(1)))
        .hasSize(2)
        .allSatisfy(run -> assertThat(run.isCalm()).isTrue());
    assertThat(turns.leftOut()).isEqualTo(1);
    assertThat(pauses).hasValue(0);
  }

  @Test
  void whereItIsNeverCalmTheFirstCount() {
    Turns turns = turns(2, _ -> true);
    turns.take();
    assertThat(order).containsExactlyElementsOf(joined(List.of(FORTH, BACK, FORTH, BACK)));
    assertThat(turns.calmest())
        .allSatisfy(
            (_, runs) ->
                assertThat(runs).hasSize(2).allSatisfy(run -> assertThat(run.isCalm()).isFalse()));
    assertThat(turns.leftOut()).isEqualTo(2L * FORTH.size());
    assertThat(pauses).hasValue(4);
  }

  /** Notes what is measured, by its number in the order of all. */
  private Turns turns(int wanted, IntPredicate isDisturbed) {
    return new Turns(
        wanted,
        pair -> {
          order.add(pair);
          return run(isDisturbed.test(order.size() - 1) ? 50 : 100);
        },
        pauses::incrementAndGet);
  }

  private static PairRun run(int processorPercent) {
    Served served =
        Served.of(
            new Reading(0, 0, 0),
            new Reading(1_000, 1_000_000_000, 10_000_000L * processorPercent));
    Round round = new Round(served, served);
    return new PairRun(List.of(new SwappedRounds(round, round)));
  }

  private static List<Pair> joined(List<List<Pair>> turns) {
    return turns.stream().flatMap(List::stream).toList();
  }
}
