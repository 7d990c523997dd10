/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {
  @Test
  void wordsOfAnyLanguageStayAsTheyAre() {
    String words = "checkout-service Überweisung 支払い Καλημέρα 🧶 a\\b";
    assertThat(Printable.of(words)).isSameAs(words);
  }

  @ParameterizedTest
  @CsvSource({
    // What a terminal obeys: escape sequences, their one-byte form, bell, carriage return.
    "1b, \\u001b",
    "9b, \\u009b",
    "7, \\u0007",
    "d, \\u000d",
    "a, \\u000a",
    "7f, \\u007f",
    // What changes how neighbours are shown: direction, line breaks, invisible marks.
    "202e, \\u202e",
    "2066, \\u2066",
    "2028, \\u2028",
    "200b, \\u200b",
    "e0041, \\U000e0041",
  })
  void charactersThatActAreSpelledOut(String codePoint, String spelled) {
    String text = "a" + Character.toString(Integer.parseInt(codePoint, 16)) + "b";
    assertThat(Printable.of(text)).isEqualTo("a" + spelled + "b");
  }

  @Test
  void aSurrogateAloneIsSpelledOut() {
    assertThat(Printable.of("x\ud83e")).isEqualTo("x\\ud83e");
  }

  @Test
  void longTextIsCutToWholeCharacters() {
    assertThat(Printable.of("🧶🧶🧶🧶", 3)).isEqualTo("🧶🧶…");
    assertThat(Printable.of("abc", 3)).isEqualTo("abc");
  }
}
