/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class InflowRunsTest {
  private final Inflow inflow = new Inflow(64);
  private final Piece first = new Piece(1, 1, 1);
  private final Piece second = new Piece(2, 1, 1);
  private final Piece third = new Piece(3, 1, 1);

  private void append(Piece piece, int captured, int moved) {
    inflow.append(piece, new byte[captured], 0, captured, moved);
  }

  @Test
  void knowsWhoMovedTheLastByteThatWasPassedOver() {
    append(first, 4, 10);
    append(second, 5, 5);
    inflow.skip(10);
    assertThat(inflow.skipped()).isSameAs(first);
    inflow.skip(8);
    assertThat(inflow.isSkipping()).isTrue();
    append(third, 6, 6);
    assertThat(inflow.isSkipping()).isFalse();
    assertThat(inflow.skipped()).isSameAs(third);
    assertThat(inflow.size()).isEqualTo(3);
  }

  @Test
  void remembersABoundedNumberOfCalls() {
    Inflow large = new Inflow(1 << 20);
    int calls = 100_000;
    for (int i = 0; i < calls; i++) {
      large.append(new Piece(i, 1, 1), new byte[] {(byte) i}, 0, 1, 1);
    }
    assertThat(large.size()).isBetween(4096, 16_384);
    assertThat(large.isBroken()).isTrue();
    int last = large.size() - 1;
    assertThat(large.get(last)).isEqualTo(last & 0xff);
    assertThat(large.piece(last).time()).isEqualTo(last);
    large.skip(calls);
    assertThat(large.isBroken()).isFalse();
    assertThat(large.isSkipping()).isFalse();
    large.append(third, new byte[] {7}, 0, 1, 1);
    assertThat(large.get(0)).isEqualTo(7);
    assertThat(large.piece(0)).isSameAs(third);
  }

  @Test
  void tellsTheBytesOfOneCallFromThoseOfTheNext() {
    append(first, 4, 10);
    append(second, 5, 5);
    assertThat(inflow.run()).isEqualTo(4);
    assertThat(inflow.isRunBroken()).isTrue();
    inflow.skipRun();
    assertThat(inflow.run()).isEqualTo(5);
    assertThat(inflow.isRunBroken()).isFalse();
    inflow.consume(2);
    assertThat(inflow.run()).isEqualTo(3);
    inflow.skipRun();
    assertThat(inflow.run()).isZero();
    assertThat(inflow.isSkipping()).isFalse();
  }
}
