/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class InflowTest {
  private final Inflow inflow = new Inflow(64);

  @Test
  void bytesOfSeveralCallsAreOneStream() {
    Piece first = append("GET ", 4);
    Piece second = append("/path", 5);

    assertThat(inflow.size()).isEqualTo(9);
    assertThat(inflow.latin1(0, 9)).isEqualTo("GET /path");
    assertThat(inflow.piece(3)).isSameAs(first);
    assertThat(inflow.piece(4)).isSameAs(second);
    assertThat(inflow.last()).isSameAs(second);
  }

  @Test
  void whatIsBehindAGapIsNotAtHandUntilItIsSkipped() {
    append("head", 10);
    append("tail", 4);

    assertThat(inflow.size()).isEqualTo(4);
    assertThat(inflow.isBroken()).isTrue();
    inflow.skip(10);
    assertThat(inflow.latin1(0, 4)).isEqualTo("tail");
    assertThat(inflow.isBroken()).isFalse();
  }

  @Test
  void whatIsSkippedMayStillBeToCome() {
    append("abc", 3);
    inflow.skip(5);

    assertThat(inflow.isSkipping()).isTrue();
    append("defgh", 5);
    assertThat(inflow.latin1(0, 3)).isEqualTo("fgh");
    assertThat(inflow.isSkipping()).isFalse();
  }

  @Test
  void whatIsSkippedOfACallMayReachIntoItsGap() {
    inflow.skip(6);
    append("abcd", 10);

    assertThat(inflow.size()).isZero();
    assertThat(inflow.isBroken()).isTrue();
    inflow.resume();
    assertThat(inflow.isBroken()).isFalse();
    append("next", 4);
    assertThat(inflow.latin1(0, 4)).isEqualTo("next");
  }

  @Test
  void whatComesBeyondTheCapacityIsMissing() {
    append("x".repeat(60), 60);
    append("y".repeat(10), 10);

    assertThat(inflow.size()).isEqualTo(64);
    assertThat(inflow.isBroken()).isTrue();
    inflow.skip(70);
    append("z", 1);
    assertThat(inflow.latin1(0, 1)).isEqualTo("z");
    assertThat(inflow.moved()).isEqualTo(71);
  }

  @Test
  void whatIsNotAtHandCannotBeRead() {
    append("ab", 2);

    assertThatThrownBy(() -> inflow.getInt(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> inflow.consume(3)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void numbersAreReadInBothOrders() {
    inflow.append(new Piece(1, 1, 1), new byte[] {1, 2, 3, (byte) 0x84}, 0, 4, 4);

    assertThat(inflow.getInt(0)).isEqualTo(0x01020384);
    assertThat(inflow.getShort(2)).isEqualTo(0x384);
    assertThat(inflow.getIntLittle(0)).isEqualTo(0x84030201);
    assertThat(inflow.getMediumLittle(1)).isEqualTo(0x840302);
  }

  /** Whatever the cuts, gaps and skips are: a byte at hand is the byte of that place. */
  @Property
  void everyByteKeepsItsPlace(
      @ForAll @Size(max = 40) byte[] sizes,
      @ForAll @Size(max = 40) byte[] captures,
      @ForAll @IntRange(min = 1, max = 90) int step) {
    Inflow stream = new Inflow(128);
    long moved = 0;
    long consumed = 0;
    for (int i = 0; i < sizes.length; i++) {
      int size = sizes[i] & 63;
      int captured = Math.min(size, captures.length == 0 ? 63 : captures[i % captures.length] & 63);
      byte[] bytes = new byte[captured];
      for (int j = 0; j < captured; j++) {
        bytes[j] = (byte) (moved + j);
      }
      stream.append(new Piece(moved, 1, 1), bytes, 0, captured, size);
      moved += size;
      for (int j = 0; j < stream.size(); j++) {
        assertThat((byte) stream.get(j)).isEqualTo((byte) (consumed + j));
        assertThat(stream.piece(j).time()).isLessThanOrEqualTo(consumed + j);
      }
      assertThat(stream.held()).isLessThanOrEqualTo(512);
      stream.skip(step);
      consumed += step;
    }
  }

  private Piece append(String text, int size) {
    Piece piece = new Piece(inflow.moved(), 1, 1);
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    inflow.append(piece, bytes, 0, bytes.length, size);
    return piece;
  }
}
