/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.sennit.correlation.record.Severity;
import dev.sennit.otlp.AttributeValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineParserTest {
  private static final int MANY = 10_000_000;

  private final LineParser parser = new LineParser(ZoneOffset.UTC);

  private static long nanos(String instant) {
    Instant time = Instant.parse(instant);
    return time.getEpochSecond() * 1_000_000_000 + time.getNano();
  }

  private Parsed parse(String line) {
    return parse(line, "2026-11-15T18:02:41Z");
  }

  private Parsed parse(String line, String written) {
    byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    return parser.parse(bytes, 0, bytes.length, nanos(written));
  }

  private static String body(Parsed parsed) {
    return new String(parsed.body(), StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource({
    // the time of the line, when it was written, the time that it is
    "Dec 31 23:59:59 h a[1]: x,    2027-01-01T00:00:05Z, 2026-12-31T23:59:59Z",
    "Jan  1 00:00:01 h a[1]: x,    2026-12-31T23:59:59Z, 2027-01-01T00:00:01Z",
    "Feb 29 12:00:00 h a[1]: x,    2029-01-01T00:00:00Z, 2028-02-29T12:00:00Z",
    "23:59:59.900 [m] INFO a - x,  2026-11-15T00:00:01Z, 2026-11-14T23:59:59.900Z",
    "00:00:00.100 [m] INFO a - x,  2026-11-14T23:59:59Z, 2026-11-15T00:00:00.100Z",
    "I1231 23:59:59.000001 1 a.go:1] x, 2027-01-01T00:00:05Z, 2026-12-31T23:59:59.000001Z",
    "2026-11-15T18:02 INFO x,      2026-11-15T18:02:41Z, 2026-11-15T18:02:00Z",
    "2026-11-15T18:02:40-05:30 x,  2026-11-15T18:02:41Z, 2026-11-15T23:32:40Z",
    "2026-11-15T18:02:40+01 x,     2026-11-15T18:02:41Z, 2026-11-15T17:02:40Z",
    "2026-11-15 18:02:40 -0500 x,  2026-11-15T18:02:41Z, 2026-11-15T23:02:40Z",
    "2026-11-15 18:02:40.1234567891 x, 2026-11-15T18:02:41Z, 2026-11-15T18:02:40.123456789Z",
    "1794765760 INFO x,            2026-11-15T18:02:41Z, 2026-11-15T18:02:40Z",
    "1794765760.5 INFO x,          2026-11-15T18:02:41Z, 2026-11-15T18:02:40.500Z",
    "1794765760123 INFO x,         2026-11-15T18:02:41Z, 2026-11-15T18:02:40.123Z",
    "1794765760123456 INFO x,      2026-11-15T18:02:41Z, 2026-11-15T18:02:40.123456Z",
    "1794765760123456789 INFO x,   2026-11-15T18:02:41Z, 2026-11-15T18:02:40.123456789Z",
  })
  void timesAreWholeWhateverTheyLeaveOut(String line, String written, String expected) {
    assertThat(Instant.ofEpochSecond(0, parse(line, written).time()))
        .isEqualTo(Instant.parse(expected));
  }

  @Test
  void aTimeWithoutAZoneIsInTheZoneOfTheHost() {
    LineParser berlin = new LineParser(ZoneId.of("Europe/Berlin"));
    for (String[] pair :
        new String[][] {
          {"2026-07-15 12:00:00 x", "2026-07-15T10:00:00Z"},
          {"2026-11-15 12:00:00 x", "2026-11-15T11:00:00Z"},
        }) {
      byte[] line = pair[0].getBytes(StandardCharsets.UTF_8);
      assertThat(berlin.parse(line, 0, line.length, 0).time()).isEqualTo(nanos(pair[1]));
    }
    byte[] line = "00:10:00 [m] INFO a - x".getBytes(StandardCharsets.UTF_8);
    // It is past midnight in Berlin and not yet in UTC.
    assertThat(berlin.parse(line, 0, line.length, nanos("2026-11-14T23:10:05Z")).time())
        .isEqualTo(nanos("2026-11-14T23:10:00Z"));
  }

  @Test
  void withoutTheTimeOfWritingATimeThatIsNotWholeIsNone() {
    byte[] line = "18:02:40 [main] INFO a - x".getBytes(StandardCharsets.UTF_8);
    Parsed parsed = parser.parse(line, 0, line.length, 0);
    assertThat(parsed.time()).isZero();
    assertThat(body(parsed)).isEqualTo("x");
  }

  @Test
  void whatIsNoTimeStaysInTheMessage() {
    for (String line :
        new String[] {
          "2026-13-15 18:02:40 x",
          "2026-02-30 18:02:40 x",
          "25:00:00 x",
          "12345678901 x",
          "2026-11-15",
          "99:99",
          "Nov 15",
          "1.2.3.4 connected",
          "Mon"
        }) {
      Parsed parsed = parse(line);
      assertThat(parsed.time()).as(line).isZero();
      assertThat(body(parsed)).isEqualTo(line);
    }
  }

  @Test
  void idsInTextCountOnlyWhenBothAreWholeAndNotZero() {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    assertThat(parse("x trace_id=" + trace + " span_id=00f067aa0ba902b7").span()).isNotNull();
    assertThat(parse("x traceId=" + trace + ", spanId=00f067aa0ba902b7").span()).isNotNull();
    assertThat(parse("x trace_id=" + trace + " span_id=00f067aa0ba902b").span()).isNull();
    assertThat(parse("x trace_id=" + trace).span()).isNull();
    assertThat(parse("x trace_id=" + trace + " span_id=0000000000000000").span()).isNull();
    assertThat(parse("x dd.trace_id=" + trace + " dd.span_id=00f067aa0ba902b7").span()).isNull();
    assertThat(
            parse("{\"trace_id\":\"" + trace + "\",\"dd.span_id\":\"67667974448284343\"}").span())
        .as("ids of two tracers")
        .isNull();
  }

  @Test
  void processAndThreadAreFoundInText() {
    for (String line :
        new String[] {
          "x pid=12 tid=34", "PID 12, TID 34", "process=12 thread=34", "Pid=12 thread_id=34"
        }) {
      assertThat(parse(line).pid()).as(line).isEqualTo(12);
      assertThat(parse(line).tid()).as(line).isEqualTo(34);
    }
    for (String line :
        new String[] {
          "thread=main", "pid=12x", "RAPID 12", "pid=", "pid=99999999999", "stupid=12", "tid=0"
        }) {
      assertThat(parse(line).pid()).as(line).isZero();
      assertThat(parse(line).tid()).as(line).isZero();
    }
  }

  @Test
  void theEndOfALineOfWindowsIsNoPartOfIt() {
    assertThat(body(parse("18:02:40 [main] INFO a - x\r"))).isEqualTo("x");
    assertThat(body(parse("{\"msg\":\"x\",\"level\":\"info\"}\r"))).isEqualTo("x");
    assertThat(parse("INFO: a\r\njava.io.IOException: gone\r\n\tat a.B.c(B.java:1)\r").attributes())
        .containsEntry("exception.message", AttributeValue.of("gone"));
  }

  @Test
  void badBytesInJsonAreKeptInItsMessage() {
    Parsed parsed = parse("{\"msg\":\"a\u00ff\u0000b\",\"level\":\"error\",\"x\":\"\u00fe\"}");
    assertThat(body(parsed)).isEqualTo("a\u00ff\u0000b");
    assertThat(parsed.severity()).isEqualTo(Severity.ERROR);
    assertThat(parsed.attributes()).containsEntry("x", AttributeValue.of("\ufffd"));
  }

  @Test
  void escapesOfJsonAreResolved() {
    byte[] line =
        "{\"msg\":\"\\u00e4\\ud83d\\ude00\\ud800\\u20ac\\/\\q\"}".getBytes(StandardCharsets.UTF_8);
    Parsed parsed = parser.parse(line, 0, line.length, 0);
    assertThat(new String(parsed.body(), StandardCharsets.UTF_8)).isEqualTo("ä😀\ufffd€/q");
  }

  @Test
  void linesBehindJsonBelongToItsMessage() {
    assertThat(body(parse("{\"msg\":\"x\"}\n\tat a.B.c(B.java:1)")))
        .isEqualTo("x\n\tat a.B.c(B.java:1)");
    assertThat(body(parse("{\n  \"msg\": \"x\"\n}"))).isEqualTo("x");
    assertThat(body(parse("{\"msg\":\"x\"} trailing"))).isEqualTo("{\"msg\":\"x\"} trailing");
  }

  @Test
  void attributesAndTheirDepthAreBounded() {
    StringBuilder wide = new StringBuilder("{\"msg\":\"x\"");
    IntStream.range(0, 10_000).forEach(i -> wide.append(",\"k").append(i).append("\":1"));
    assertThat(parse(wide.append('}').toString()).attributes()).hasSize(Draft.MOST_ATTRIBUTES);
    String deep = "{\"a\":".repeat(20) + "1" + "}".repeat(20);
    assertThat(parse(deep).attributes())
        .containsOnlyKeys("a.a.a.a.a.a.a.a.a")
        .containsValue(AttributeValue.of("{\"a\":".repeat(11) + "1" + "}".repeat(11)));
  }

  @Test
  void hostileLinesTakeNoLongerThanTheirLength() {
    String[] lines = {
      "{\"a\":".repeat(10_000),
      "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000),
      "{\"msg\":\"x\",\"a\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}",
      "{\"msg\":\"x\",\"n\":" + "9".repeat(10_000) + "}",
      "{\"msg\":\"x\",\"n\":1e" + "9".repeat(10_000) + "}",
      "{\"msg\":\"x\",\"level\":\"info\"" + ",\"a\":1".repeat(100_000) + "}",
      "{\"msg\":\"" + "\\u00e4".repeat(MANY / 6) + "\"}",
      "x".repeat(MANY),
      "\u0000".repeat(MANY),
      "[".repeat(MANY),
      "a=".repeat(MANY / 2),
      "level=info a=" + "\"".repeat(MANY),
      "18:02:40 [main] INFO a - " + "trace_id=".repeat(MANY / 9),
      "18:02:40 " + "[a] ".repeat(MANY / 4),
      "18:02:40\tINFO\t" + "{".repeat(MANY) + "}",
      "18:02:40\tINFO" + "\t{".repeat(MANY / 2) + "}",
      "<1>1 - - - - - " + "[a b=\"c\"]".repeat(MANY / 9),
      "x\n".repeat(MANY / 2),
      "a.B: c\n".repeat(MANY / 7),
      "Traceback (most recent call last):\n".repeat(MANY / 35),
      "\u001b[".repeat(MANY / 2),
      "\u001b[1m".repeat(MANY / 4),
      "\u001b[1;" + "1".repeat(MANY),
      "1".repeat(MANY),
      " ".repeat(MANY),
    };
    for (String line : lines) {
      // Of work in the square of the length this would take hours.
      assertTimeoutPreemptively(
          Duration.ofSeconds(60),
          () -> {
            byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
            parser.begins(bytes, 0, bytes.length);
            return parser.parse(bytes, 0, bytes.length, nanos("2026-11-15T18:02:41Z"));
          },
          line.substring(0, 20));
    }
  }

  @Property(tries = 20_000)
  void theMessageOfAnyTextIsItsEnd(@ForAll("texts") String text) {
    String line = text.replace("\u001b", "");
    Parsed parsed = parse(line);
    byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    parser.begins(bytes, 0, bytes.length);
    String trimmed = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    if (!line.startsWith("{") && !line.contains("=") && !trimmed.endsWith("}")) {
      assertThat(trimmed).endsWith(body(parsed));
    }
  }

  @Property(tries = 5_000)
  void theSameLineSaysTheSameWhateverCameBefore(
      @ForAll("texts") String before, @ForAll("texts") String line) {
    parse(before);
    assertThat(Shown.of(parse(line))).isEqualTo(Shown.of(new LineParserTest().parse(line)));
  }

  /** Bytes of all kinds, and pieces of which lines are made. */
  @Provide
  Arbitrary<String> texts() {
    Arbitrary<String> pieces =
        Arbitraries.of(
            "2026-11-15",
            "18:02:40",
            ".123",
            "T",
            "Z",
            " ",
            "  ",
            "[",
            "]",
            "main",
            "INFO",
            "ERROR:",
            "-",
            "---",
            ":",
            "com.example.A",
            "{\"msg\":\"x\"",
            "}",
            "\"",
            "=",
            "level",
            "pid=1",
            "<34>",
            "1 ",
            "Nov 15",
            "host",
            "a[1]:",
            "\n",
            "\tat a.B",
            "java.io.IOException: x",
            "I1115 ",
            "|",
            "\t",
            "\r",
            ",",
            "\\u",
            "1",
            "{",
            "/",
            "+01:00",
            "UTC",
            "\u001b[0m",
            "Traceback (most recent call last):",
            "@",
            "#",
            "4711",
            "PM",
            "(",
            ")");
    Arbitrary<String> bytes =
        Arbitraries.strings().withCharRange('\u0000', '\u00ff').ofMaxLength(5);
    return Arbitraries.frequencyOf(Tuple.of(5, pieces), Tuple.of(1, bytes))
        .list()
        .ofMaxSize(20)
        .map(parts -> String.join("", parts));
  }
}
