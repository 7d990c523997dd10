/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.mask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MasksTest {
  private static final String KEY = "AKIAIOSFODNN7" + "EXAMPLE";
  private static final String JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";

  private static String masked(Masks masks, String text) {
    byte[] bytes = masks.apply(text.getBytes(StandardCharsets.ISO_8859_1));
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Authorization: Bearer abc.DEF-123 | Authorization: Bearer ****",
        "authorization: Basic dXNlcjpwYXNz, next | authorization: Basic ****, next",
        "\"Authorization\":\"Bearer abc.DEF-123\" | \"Authorization\":\"Bearer ****\"",
        "Authorization: [opaque-key] | Authorization: [****]",
        "sent Bearer 0123456789abcdef to x | sent Bearer **** to x",
        "jdbc postgres://alice:s3cr%40t@db:5432/shop | jdbc postgres://alice:****@db:5432/shop",
        "redis://:s3cret@cache/0 | redis://:****@cache/0",
        "see http://example.com:8080/a@b | see http://example.com:8080/a@b",
        "password=hunter2 user=a | password=**** user=a",
        "db_password = 'hunter 2', x | db_password = '****', x",
        "{\"password\": \"hun\\\"ter2\",\"a\":1} | {\"password\": \"****\",\"a\":1}",
        "{\\\"passwd\\\":\\\"hunter2\\\",\\\"a\\\":1} | {\\\"passwd\\\":\\\"****\\\",\\\"a\\\":1}",
        "Password: hunter2 | Password: ****",
        "x-api-key: 12345, b | x-api-key: ****, b",
        "GET /?api_key=12345&a=b | GET /?api_key=****&a=b",
        "access_token=12345;b | access_token=****;b",
        "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG+x== | aws_secret_access_key=****",
        "client_secret=abc | client_secret=****",
        "unexpected token: end of file | unexpected token: end of file",
        "\"token\":null,\"secret\":true | \"token\":null,\"secret\":true",
        "max_tokens=5 secrets=3 | max_tokens=5 secrets=3",
        "Bearer authentication failed | Bearer authentication failed",
        "ghp_0123456789abcdefghij0123456789abcdef x | **** x",
        "github_pat_0123456789abcdefghij_01234567 x | **** x",
        "xoxb-123456789012-abcdefghijkl x | **** x",
        "key AIzaSyA0123456789abcdefghijklmnopqrstuv x | key **** x",
      })
  void secretsAreMaskedAndOtherTextIsNot(String text, String expected) {
    assertThat(masked(Masks.standard(), text)).isEqualTo(expected);
  }

  @Test
  void keysAndWebTokensAreMasked() {
    assertThat(masked(Masks.standard(), "id " + KEY + ", " + JWT + "."))
        .isEqualTo("id ****, ****.");
    assertThat(masked(Masks.standard(), KEY + "X and X" + KEY)).isEqualTo(KEY + "X and X" + KEY);
  }

  @Test
  void privateKeysAreMaskedAlsoWithoutTheirEnd() {
    String begin = "-----BEGIN RSA PRIVATE " + "KEY-----";
    String end = "-----END RSA PRIVATE " + "KEY-----";
    assertThat(masked(Masks.standard(), "a " + begin + "\nMIIE\n" + end + " b"))
        .isEqualTo("a " + begin + "****" + end + " b");
    assertThat(masked(Masks.standard(), begin + "\nMIIE\nMIIE")).isEqualTo(begin + "****");
    assertThat(masked(Masks.standard(), "-----BEGIN CERTIFICATE-----\nMIIE"))
        .isEqualTo("-----BEGIN CERTIFICATE-----\nMIIE");
  }

  @Test
  void whatIsNotMaskedIsTheSameArray() {
    byte[] text =
        "18:02:40.123 [main] INFO  c.e.Orders - order id=42: taken"
            .getBytes(StandardCharsets.UTF_8);
    assertThat(Masks.standard().apply(text)).isSameAs(text);
    byte[] secret = "password=x".getBytes(StandardCharsets.UTF_8);
    assertThat(Masks.none().apply(secret)).isSameAs(secret);
  }

  @Test
  void bytesThatAreNoTextStayWhatTheyAre() {
    assertThat(
            masked(
                Masks.with(List.of("card (\\d+)")),
                "\u00ff\u0000password=\u00fe\u0080 \u00c3 card 12"))
        .isEqualTo("\u00ff\u0000password=**** \u00c3 card ****");
  }

  @Test
  void thePatternsOfTheUserAreMaskedToo() {
    Masks masks = Masks.with(List.of("card (\\d{4})", "Müller", "x*"));
    byte[] text = "card 1234 of Müller, password=a".getBytes(StandardCharsets.UTF_8);
    assertThat(new String(masks.apply(text), StandardCharsets.UTF_8))
        .isEqualTo("card **** of ****, password=****");
  }

  @Test
  void aPatternThatIsNoneIsNamed() {
    assertThatThrownBy(() -> Masks.with(List.of("a", "(b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the pattern \"(b\" is no regular expression: Unclosed group");
  }

  @Test
  void aTextThatAPatternCannotSearchInTimeIsMaskedAsAWhole() {
    Masks masks = Masks.with(List.of("(.*)(.*)(.*)(.*)(.*)c"));
    assertThat(masked(masks, "aac")).isEqualTo("****c");
    assertThat(masked(masks, "a".repeat(300))).isEqualTo("****");
    Masks deep = Masks.with(List.of("(a|b)*c"));
    assertThat(masked(deep, "ab".repeat(500_000))).isEqualTo("****");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "eyJ",
        "eyJ-",
        "eyJa.",
        "AIza-",
        "AKIA-",
        "ghp_",
        "github_pat_",
        "xoxb-",
        "://a:",
        "://",
        "password=",
        "password=\"",
        "password=\"\\",
        "\"password\":",
        "Bearer ",
        "Bearer a ",
        "-----BEGIN ",
        ":",
        "=",
        "-----BEGIN PRIVATE KEY-----",
        "authorization: ",
        "Authorization: Basic "
      })
  void hostileTextTakesNoLongerThanItsLength(String part) {
    byte[] text = part.repeat(10_000_000 / part.length()).getBytes(StandardCharsets.ISO_8859_1);
    // Of a search in the square of the length this would be the work of days.
    assertTimeoutPreemptively(Duration.ofSeconds(60), () -> Masks.standard().apply(text));
  }

  @Property(tries = 2000)
  void anyBytesAreTakenAndMaskingTwiceChangesNoMore(@ForAll byte[] bytes) {
    byte[] once = Masks.standard().apply(bytes);
    assertThat(Masks.standard().apply(once).length).isLessThanOrEqualTo(once.length + 4);
  }
}
