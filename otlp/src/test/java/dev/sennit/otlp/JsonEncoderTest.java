/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonEncoderTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final JsonEncoder json = JsonEncoder.compact(out);

  @Test
  void objectsAndArraysNest() throws IOException {
    json.beginObject();
    json.name("a");
    json.beginArray();
    json.value(1);
    json.beginObject();
    json.endObject();
    json.value("x");
    json.endArray();
    json.name("b");
    json.value(true);
    json.endObject();
    assertThat(written()).isEqualTo("{\"a\":[1,{},\"x\"],\"b\":true}");
  }

  @Test
  void prettyPutsEveryMemberOnItsLine() throws IOException {
    JsonEncoder pretty = JsonEncoder.pretty(out);
    pretty.beginObject();
    pretty.name("a");
    pretty.beginArray();
    pretty.value(1);
    pretty.value(2);
    pretty.endArray();
    pretty.name("b");
    pretty.beginObject();
    pretty.endObject();
    pretty.endObject();
    pretty.flush();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {
              "a": [
                1,
                2
              ],
              "b": {}
            }\
            """);
  }

  @Test
  void sixtyFourBitIntegersAreStrings() throws IOException {
    json.beginArray();
    json.int64(Long.MIN_VALUE);
    json.int64(Long.MAX_VALUE);
    json.int64(-10);
    json.uint64(-1);
    json.value(Integer.MIN_VALUE);
    json.endArray();
    assertThat(written())
        .isEqualTo(
            "[\"-9223372036854775808\",\"9223372036854775807\",\"-10\",\"18446744073709551615\",-2147483648]");
  }

  @Test
  void doublesThatJsonCannotSayAreStrings() throws IOException {
    json.beginArray();
    json.value(0.1);
    json.value(1e300);
    json.value(Double.NaN);
    json.value(Double.POSITIVE_INFINITY);
    json.value(Double.NEGATIVE_INFINITY);
    json.endArray();
    assertThat(written()).isEqualTo("[0.1,1.0E300,\"NaN\",\"Infinity\",\"-Infinity\"]");
  }

  @Test
  void idsAreHexAndOtherBytesBase64() throws IOException {
    json.beginArray();
    json.hex(0x0123456789abcdefL, -1);
    json.hex(1);
    json.base64(new ByteArrayInputStream(new byte[] {1, 2, 3, 4}));
    json.endArray();
    assertThat(written())
        .isEqualTo("[\"0123456789abcdefffffffffffffffff\",\"0000000000000001\",\"AQIDBA==\"]");
  }

  @Test
  void everyCharacterThatNeedsItIsEscaped() throws IOException {
    json.value("\"\\/\b\f\n\r\t\0\u001f\u007f\u2028\u00e9\ud83d\ude00\ud800");
    assertThat(written())
        .isEqualTo("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\\u007f\\u2028\u00e9\ud83d\ude00?\"");
  }

  @Test
  void aBracketTooManyIsRefused() {
    assertThatIllegalStateException().isThrownBy(json::endObject);
  }

  private String written() throws IOException {
    json.flush();
    return out.toString(StandardCharsets.UTF_8);
  }
}
