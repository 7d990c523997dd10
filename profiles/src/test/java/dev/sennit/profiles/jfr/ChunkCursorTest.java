/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The encodings of the format. */
final class ChunkCursorTest {
  private static final int SMALLEST_WINDOW_BITS = 3;

  @Property
  void compressedIntegersAreReadAsWritten(@ForAll("numbers") List<Long> numbers)
      throws JfrFormatException {
    ChunkCursor cursor = compressed(encode(numbers));
    for (long number : numbers) {
      assertThat(cursor.readLong()).isEqualTo(number);
    }
    assertThat(cursor.remaining()).isZero();
  }

  @Property
  void framesHaveTheSameNumberIfTheyAreTheSame(@ForAll("numbers") List<Long> numbers)
      throws JfrFormatException {
    int count = numbers.size() / 4;
    List<List<Long>> frames = new ArrayList<>();
    for (int i = 0; i < 2 * count; i++) {
      frames.add(numbers.subList(4 * (i % count), 4 * (i % count) + 4));
    }
    FrameTable table = new FrameTable();
    int[] read = new int[frames.size()];
    ChunkCursor cursor = compressed(encode(frames.stream().flatMap(List::stream).toList()));
    cursor.readFrames(table, read, read.length);
    assertThat(cursor.remaining()).isZero();
    for (int i = 0; i < read.length; i++) {
      List<Long> frame = frames.get(i);
      assertThat(table.method(read[i])).isEqualTo(frame.get(0));
      assertThat(table.line(read[i])).isEqualTo(frame.get(1).intValue());
      assertThat(table.bytecodeIndex(read[i])).isEqualTo(frame.get(2).intValue());
      assertThat(table.type(read[i])).isEqualTo(frame.get(3));
    }
    // Twice at most: what is far from the end of the chunk is known by its bytes.
    assertThat(Arrays.stream(read).distinct().count())
        .isLessThanOrEqualTo(frames.stream().distinct().count() + 5);
  }

  @Property
  void skippingEndsWhereReadingDoes(@ForAll("numbers") List<Long> numbers)
      throws JfrFormatException {
    byte[] bytes = encode(numbers);
    for (int count = 0; count <= numbers.size(); count++) {
      ChunkCursor cursor = compressed(bytes);
      cursor.skipVarints(count);
      assertThat(cursor.position()).isEqualTo(encode(numbers.subList(0, count)).length);
    }
  }

  @Property
  void aFingerprintIsThatOfTheBytesAndLeavesTheCursorBehindThem(
      @ForAll("numbers") List<Long> numbers, @ForAll("numbers") List<Long> others)
      throws JfrFormatException {
    long end = encode(numbers).length;
    List<Long> followed = new ArrayList<>(numbers);
    followed.addAll(others);
    Fingerprint alone = new Fingerprint();
    Fingerprint among = new Fingerprint();
    ChunkCursor first = compressed(padded(encode(numbers)));
    ChunkCursor second = compressed(padded(encode(followed)));
    boolean known = first.fingerprint(numbers.size(), alone);
    assertThat(second.fingerprint(numbers.size(), among)).isEqualTo(known);
    assertThat(first.position()).isEqualTo(end);
    assertThat(second.position()).isEqualTo(end);
    assertThat(known || numbers.stream().anyMatch(number -> number >>> 56 != 0)).isTrue();
    if (known) {
      assertThat(List.of(among.high(), among.low())).containsExactly(alone.high(), alone.low());
      if (!numbers.equals(others)
          && compressed(padded(encode(others))).fingerprint(others.size(), among)) {
        assertThat(List.of(among.high(), among.low()))
            .isNotEqualTo(List.of(alone.high(), alone.low()));
      }
    }
  }

  @Property
  void windowsDoNotShow(@ForAll("numbers") List<Long> numbers) throws JfrFormatException {
    byte[] bytes = encode(numbers);
    ChunkCursor cursor =
        new ChunkCursor(
            new ChunkBytes(MemorySegment.ofArray(bytes), SMALLEST_WINDOW_BITS),
            true,
            Path.of("x"),
            0);
    for (long number : numbers) {
      assertThat(cursor.readLong()).isEqualTo(number);
    }
    assertThat(cursor.remaining()).isZero();
  }

  private static byte[] padded(byte[] bytes) {
    return Arrays.copyOf(bytes, bytes.length + 16);
  }

  @Provide
  Arbitrary<List<Long>> numbers() {
    Arbitrary<Long> anyLength =
        Arbitraries.integers()
            .between(0, 63)
            .flatMap(bits -> Arbitraries.longs().map(value -> value >>> bits));
    return Arbitraries.oneOf(anyLength, Arbitraries.longs().between(-300, 300))
        .list()
        .ofMaxSize(40);
  }

  @Test
  void plainIntegersAreBigEndian() throws JfrFormatException {
    byte[] bytes =
        ByteBuffer.allocate(27)
            .putShort((short) -2)
            .putChar('\u4e2d')
            .putInt(-3)
            .putLong(-4)
            .put((byte) 4)
            .putInt(2)
            .putChar('a')
            .putChar('\u00fc')
            .array();
    ChunkCursor cursor = new ChunkCursor(MemorySegment.ofArray(bytes), false, Path.of("x"), 0);
    assertThat(cursor.readShort()).isEqualTo((short) -2);
    assertThat(cursor.readChar()).isEqualTo('\u4e2d');
    assertThat(cursor.readInt()).isEqualTo(-3);
    assertThat(cursor.readLong()).isEqualTo(-4);
    long text = cursor.position();
    cursor.skipString();
    assertThat(cursor.remaining()).isEqualTo(2);
    cursor.seek(text);
    assertThat(cursor.readString(ChunkCursor.TextConstants.NONE)).isEqualTo("a\u00fc");
  }

  @Test
  void textsHaveSixEncodings() throws JfrFormatException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(ChunkCursor.STRING_NULL);
    out.write(ChunkCursor.STRING_EMPTY);
    out.write(ChunkCursor.STRING_CONSTANT);
    encode(out, 300);
    out.write(ChunkCursor.STRING_UTF_8);
    byte[] utf8 = "\u00fc\u4e2d".getBytes(StandardCharsets.UTF_8);
    encode(out, utf8.length);
    out.writeBytes(utf8);
    out.write(ChunkCursor.STRING_CHARS);
    encode(out, 2);
    encode(out, 'x');
    encode(out, '\u4e2d');
    out.write(ChunkCursor.STRING_LATIN_1);
    encode(out, 1);
    out.write(0xfc);
    ChunkCursor reading = compressed(out.toByteArray());
    ChunkCursor skipping = compressed(out.toByteArray());
    for (String expected :
        new String[] {null, "", "constant 300", "\u00fc\u4e2d", "x\u4e2d", "\u00fc"}) {
      assertThat(reading.readString(id -> "constant " + id)).isEqualTo(expected);
      skipping.skipString();
      assertThat(skipping.position()).isEqualTo(reading.position());
    }
    assertThat(reading.remaining()).isZero();
  }

  @Test
  void aCountThatTheRestOfTheChunkCannotHoldIsRefusedWithItsPlace() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(ChunkCursor.STRING_UTF_8);
    encode(out, Integer.MAX_VALUE);
    ChunkCursor cursor =
        new ChunkCursor(MemorySegment.ofArray(out.toByteArray()), true, Path.of("a.jfr"), 1000);
    assertThatThrownBy(() -> cursor.readString(ChunkCursor.TextConstants.NONE))
        .isInstanceOf(JfrFormatException.class)
        .hasMessage("a.jfr: 2147483647 bytes of a text where 0 bytes remain (at offset 1001)");
  }

  @Test
  void aValueThatTheChunkCutsOffIsRefused() {
    byte[] cut = {(byte) 0x80, (byte) 0x80};
    assertThatThrownBy(() -> compressed(cut).readLong()).isInstanceOf(JfrFormatException.class);
    assertThatThrownBy(() -> compressed(cut).skipVarints(1)).isInstanceOf(JfrFormatException.class);
  }

  private static ChunkCursor compressed(byte[] bytes) {
    return new ChunkCursor(MemorySegment.ofArray(bytes), true, Path.of("x"), 0);
  }

  private static byte[] encode(List<Long> numbers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    numbers.forEach(number -> encode(out, number));
    return out.toByteArray();
  }

  private static void encode(ByteArrayOutputStream out, long number) {
    long rest = number;
    for (int i = 0; i < 8; i++) {
      if (rest >>> 7 == 0) {
        out.write((int) rest);
        return;
      }
      out.write((int) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
