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
