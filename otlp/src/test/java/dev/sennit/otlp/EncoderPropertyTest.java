/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.google.protobuf.CodedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class EncoderPropertyTest {
  @Property(tries = 500)
  void protobufReadsBackWhatWasWritten(
      @ForAll String text, @ForAll long number, @ForAll byte[] bytes, @ForAll long[] numbers)
      throws IOException {
    ProtobufEncoder encoder = new ProtobufEncoder();
    encoder.writeString(1, text);
    encoder.writeVarintField(2, number);
    encoder.writeFixed64Field(3, number);
    encoder.writeBytes(4, bytes);
    encoder.writePackedVarintField(5, numbers, 0, numbers.length);
    CodedInputStream in = CodedInputStream.newInstance(encoder.toByteArray());
    in.readTag();
    assertThat(in.readStringRequireUtf8()).isEqualTo(decodable(text));
    in.readTag();
    assertThat(in.readInt64()).isEqualTo(number);
    in.readTag();
    assertThat(in.readFixed64()).isEqualTo(number);
    in.readTag();
    assertThat(in.readByteArray()).isEqualTo(bytes);
    if (numbers.length > 0) {
      in.readTag();
      assertThat(in.readRawVarint32())
          .isEqualTo((int) ProtobufEncoder.sizeOfVarints(numbers, 0, numbers.length));
      for (long expected : numbers) {
        assertThat(in.readInt64()).isEqualTo(expected);
      }
    }
    assertThat(in.isAtEnd()).isTrue();
  }

  @Property(tries = 500)
  void jsonReadsBackWhatWasWritten(
      @ForAll String text, @ForAll long number, @ForAll byte[] bytes, @ForAll double real)
      throws IOException {
    for (boolean pretty : new boolean[] {false, true}) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      JsonEncoder json = pretty ? JsonEncoder.pretty(out) : JsonEncoder.compact(out);
      json.beginArray();
      json.value(text);
      json.int64(number);
      json.uint64(number);
      json.hex(number);
      json.base64(new ByteArrayInputStream(bytes));
      json.value(real);
      json.value((int) number);
      json.endArray();
      json.flush();
      try (JsonParser in = new JsonFactory().createParser(out.toByteArray())) {
        in.nextToken();
        assertThat(in.nextTextValue()).isEqualTo(decodable(text));
        assertThat(in.nextTextValue()).isEqualTo(Long.toString(number));
        assertThat(in.nextTextValue()).isEqualTo(Long.toUnsignedString(number));
        assertThat(in.nextTextValue()).isEqualTo(String.format("%016x", number));
        assertThat(in.nextTextValue()).isEqualTo(Base64.getEncoder().encodeToString(bytes));
        in.nextToken();
        assertThat(in.getDoubleValue()).isEqualTo(real);
        assertThat(in.nextIntValue(0)).isEqualTo((int) number);
        in.nextToken();
        assertThat(in.nextToken()).isNull();
      }
    }
  }

  private static String decodable(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }
}
