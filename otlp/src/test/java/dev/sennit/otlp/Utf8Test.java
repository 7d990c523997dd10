/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** The JDK's decoder is the judge. */
class Utf8Test {
  @Property
  void textIsValid(@ForAll String text) {
    assertThat(Utf8.isValid(text.getBytes(UTF_8))).isTrue();
  }

  @Property(tries = 20_000)
  void bytesAreValidWhereTheJdkSaysSo(@ForAll @Size(max = 6) byte[] bytes) {
    assertThat(Utf8.isValid(bytes)).isEqualTo(isDecodable(bytes));
  }

  @Example
  void everyPairOfLeadAndSecondByteIsJudgedRight() {
    for (int lead = 0x80; lead < 0x100; lead++) {
      for (int second = 0; second < 0x100; second++) {
        for (int length = 1; length <= 4; length++) {
          byte[] bytes = {(byte) lead, (byte) second, (byte) 0x80, (byte) 0x80};
          byte[] shorter = java.util.Arrays.copyOf(bytes, length);
          assertThat(Utf8.isValid(shorter)).isEqualTo(isDecodable(shorter));
        }
      }
    }
  }

  private static boolean isDecodable(byte[] bytes) {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
