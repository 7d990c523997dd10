/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wire format, with protobuf's own classes as the judge. */
class ProtobufEncoderTest {
  private final ProtobufEncoder encoder = new ProtobufEncoder();

  @ParameterizedTest
  @ValueSource(
      longs = {0, 1, 127, 128, 300, 16383, 16384, 1L << 35, Long.MAX_VALUE, -1, Long.MIN_VALUE})
  void aVarintIsTheOfficialOneAndAsLongAsItsSizeSays(long value) throws IOException {
    encoder.writeVarint(value);
    assertThat(encoder.toByteArray()).isEqualTo(official(out -> out.writeUInt64NoTag(value)));
    assertThat(ProtobufEncoder.sizeOfVarint(value)).isEqualTo(encoder.size());
  }

  @Test
  void aNegativeInt32TakesTenBytes() throws IOException {
    encoder.writeVarintField(1, -1);
    assertThat(encoder.toByteArray()).isEqualTo(official(out -> out.writeInt32(1, -1))).hasSize(11);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 16, 2047, 2048, 536_870_911})
  void aTagHoldsFieldAndWireType(int field) throws IOException {
    encoder.writeTag(field, ProtobufEncoder.FIXED32);
    assertThat(encoder.toByteArray()).isEqualTo(official(out -> out.writeTag(field, 5)));
    assertThat(ProtobufEncoder.sizeOfTag(field)).isEqualTo(encoder.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 536_870_912})
  void aFieldNumberThatDoesNotExistIsRefused(int field) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.writeTag(field, ProtobufEncoder.VARINT))
        .withMessage("field number " + field + " is not in 1 to 536870911");
  }

  @Test
  void fixedNumbersAreLittleEndian() throws IOException {
    encoder.writeFixed32Field(1, 0x01020304);
    encoder.writeFixed64Field(2, 0x0102030405060708L);
    encoder.writeDoubleField(3, -0.5);
    encoder.writeBoolField(4, true);
    assertThat(encoder.toByteArray())
        .isEqualTo(
            official(
                out -> {
                  out.writeFixed32(1, 0x01020304);
                  out.writeFixed64(2, 0x0102030405060708L);
                  out.writeDouble(3, -0.5);
                  out.writeBool(4, true);
                }));
    assertThat(encoder.size())
        .isEqualTo(
            ProtobufEncoder.sizeOfFixed32Field(1)
                + 2 * ProtobufEncoder.sizeOfFixed64Field(2)
                + ProtobufEncoder.sizeOfVarintField(4, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ascii",
        "\u00e9t\u00e9",
        "\u65e5\u672c",
        "\ud83d\ude00!",
        "\ud800",
        "a\udc00b",
        "\ud83dx",
        "\0"
      })
  void aStringIsUtf8AsTheJdkWritesIt(String text) {
    encoder.writeString(3, text);
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    assertThat(Arrays.copyOfRange(encoder.toByteArray(), 2, encoder.size())).isEqualTo(utf8);
    assertThat(ProtobufEncoder.sizeOfString(3, text)).isEqualTo(encoder.size());
    assertThat(Utf8.isEncodable(text))
        .isEqualTo(new String(utf8, StandardCharsets.UTF_8).equals(text));
  }

  @Test
  void bytesAndPartsOfThemAreLengthDelimited() throws IOException {
    byte[] bytes = {1, 2, 3, 4};
    encoder.writeBytes(1, bytes);
    encoder.writeBytes(2, bytes, 1, 2);
    assertThat(encoder.toByteArray())
        .isEqualTo(
            official(
                out -> {
                  out.writeByteArray(1, bytes);
                  out.writeByteArray(2, new byte[] {2, 3});
                }));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 127, 128, 5000, 20_000})
  void aNestedMessageHasItsLengthInFrontHoweverItIsWritten(int size) throws IOException {
    byte[] content = new byte[size];
    Arrays.fill(content, (byte) 'x');
    byte[] expected =
        official(
            out -> {
              out.writeTag(7, 2);
              int inner = CodedOutputStream.computeByteArraySize(2, content);
              out.writeUInt32NoTag(inner);
              out.writeByteArray(2, content);
              out.writeInt32(9, 5);
            });

    int start = encoder.beginMessage(7);
    encoder.writeBytes(2, content);
    encoder.endMessage(start);
    encoder.writeVarintField(9, 5);
    assertThat(encoder.toByteArray()).isEqualTo(expected);

    ProtobufEncoder inner = new ProtobufEncoder();
    inner.writeBytes(2, content);
    encoder.reset();
    encoder.writeNestedMessage(7, inner);
    encoder.writeVarintField(9, 5);
    assertThat(encoder.toByteArray()).isEqualTo(expected);

    encoder.reset();
    encoder.writeLengthDelimited(7, ProtobufEncoder.sizeOfLengthDelimited(2, size));
    encoder.writeBytes(2, content);
    encoder.writeVarintField(9, 5);
    assertThat(encoder.toByteArray()).isEqualTo(expected);
  }

  @Test
  void packedFieldsHaveOneTagAndNoneWhenEmpty() throws IOException {
    encoder.writePackedVarintField(1, new long[] {9, 1, 300, -1}, 1, 3);
    encoder.writePackedVarintField(2, new int[] {1, -1}, 0, 2);
    encoder.writePackedFixed64Field(3, new long[] {5, 6}, 0, 2);
    encoder.writePackedVarintField(4, new long[0], 0, 0);
    encoder.writePackedVarintField(5, new int[0], 0, 0);
    encoder.writePackedFixed64Field(6, new long[0], 0, 0);
    CodedInputStream in = CodedInputStream.newInstance(encoder.toByteArray());
    assertThat(in.readTag()).isEqualTo(1 << 3 | 2);
    int limit = in.pushLimit(in.readRawVarint32());
    assertThat(new long[] {in.readInt64(), in.readInt64(), in.readInt64()})
        .containsExactly(1, 300, -1);
    in.popLimit(limit);
    assertThat(in.readTag()).isEqualTo(2 << 3 | 2);
    limit = in.pushLimit(in.readRawVarint32());
    assertThat(new int[] {in.readInt32(), in.readInt32()}).containsExactly(1, -1);
    in.popLimit(limit);
    assertThat(in.readTag()).isEqualTo(3 << 3 | 2);
    limit = in.pushLimit(in.readRawVarint32());
    assertThat(new long[] {in.readFixed64(), in.readFixed64()}).containsExactly(5, 6);
    in.popLimit(limit);
    assertThat(in.isAtEnd()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1, -2, Long.MAX_VALUE, Long.MIN_VALUE})
  void zigZagIsTheOfficialOne(long value) {
    assertThat(ProtobufEncoder.zigZag(value)).isEqualTo(CodedOutputStream.encodeZigZag64(value));
  }

  @Test
  void drainingInBetweenGivesTheSameBytes() throws IOException {
    ByteArrayOutputStream drained = new ByteArrayOutputStream();
    ProtobufEncoder whole = new ProtobufEncoder();
    for (int i = 1; i < 1000; i++) {
      encoder.writeString(i, "value " + i);
      encoder.drainTo(drained);
      whole.writeString(i, "value " + i);
    }
    ByteArrayOutputStream once = new ByteArrayOutputStream();
    whole.writeTo(once);
    assertThat(drained.toByteArray()).isEqualTo(once.toByteArray());
    assertThat(encoder.size()).isZero();
  }

  private static byte[] official(Script script) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    script.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  private interface Script {
    void write(CodedOutputStream out) throws IOException;
  }
}
