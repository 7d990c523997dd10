/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.line;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.record.NativeName;
import dev.sennit.correlation.record.SpanContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LinesTest {
  private static final SpanContext SPAN = new SpanContext(1, 2, 3, 1);
  private static final SpanContext OTHER = new SpanContext(1, 2, 4, 1);
  private static final NativeName NAME = NativeName.ofJava("main");
  private static final long PATIENCE = Duration.ofMillis(200).toNanos();

  private final List<Line> out = new ArrayList<>();
  private final Lines lines =
      new Lines(new LineLimits(100, 1_000, 10, Duration.ofNanos(PATIENCE)), out::add);
  private long now = 1_000_000_000;

  @Test
  void aLineIsOneWriteOrSeveral() {
    write(7, "whole\n");
    write(7, "in ");
    write(7, "parts");
    write(7, "\r\n");
    lines.flush();

    assertThat(texts()).containsExactly("whole", "in parts");
    assertThat(out).allMatch(line -> !line.cut() && !line.shared());
  }

  @Test
  void threadsThatShareADescriptorDoNotMixTheirParts() {
    write(7, "one ");
    write(8, "two ");
    write(7, "thing\n");
    write(8, "things\n");
    lines.flush();

    assertThat(texts()).containsExactlyInAnyOrder("one thing", "two things");
  }

  @Test
  void theSpanIsThatOfTheFirstByte() {
    write(7, SPAN, "it goes ");
    write(7, OTHER, "on\n");
    lines.flush();

    assertThat(out).extracting(Line::span).containsExactly(SPAN);
  }

  @Test
  void aStackTraceStaysWithItsLineInOneWriteOrInMany() {
    write(7, "2026-11-15 failed\njava.io.IOException: no\n\tat a.B.c(B.java:1)\nCaused by: x\n");
    write(8, "java.lang.IllegalStateException: no\n");
    write(8, "\tat a.B.c(B.java:1)\n");
    write(8, "Caused by: java.lang.Error\n");
    write(8, "\t... 3 more\n");
    lines.flush();

    assertThat(texts())
        .containsExactly(
            "2026-11-15 failed\njava.io.IOException: no\n\tat a.B.c(B.java:1)\nCaused by: x",
            "java.lang.IllegalStateException: no\n\tat a.B.c(B.java:1)\n"
                + "Caused by: java.lang.Error\n\t... 3 more");
    assertThat(out).noneMatch(Line::shared);
  }

  @Test
  void whatAThreadWritesInAnotherSpanIsAnotherLine() {
    write(7, SPAN, "2026-11-15 served\n");
    write(7, OTHER, "\tindented\n");
    lines.flush();

    assertThat(texts()).containsExactly("2026-11-15 served", "\tindented");
    assertThat(out).extracting(Line::span).containsExactly(SPAN, OTHER);
  }

  @Test
  void linesThatABufferHeldBackAreMarkedAsShared() {
    write(7, "a\nb\nc, cut by the bu");
    write(7, "ffer\nd\n");
    write(7, "alone\n");
    lines.flush();

    assertThat(texts()).containsExactly("a", "b", "c, cut by the buffer", "d", "alone");
    assertThat(out).extracting(Line::shared).containsExactly(true, true, true, false, false);
  }

  @Test
  void aLineWaitsForWhatMayBelongToItOnlySoLong() {
    write(7, "served\n");
    write(7, "progress: 10 %");
    lines.advance(now + PATIENCE - 1);
    assertThat(texts()).containsExactly("served");
    lines.advance(now + PATIENCE);

    assertThat(texts()).containsExactly("served", "progress: 10 %");
    assertThat(lines.held()).isZero();
  }

  @Test
  void whatIsTooLongIsCutAndSaysSo() {
    write(7, "x".repeat(60));
    write(7, "x".repeat(60));
    write(7, "x".repeat(60) + "\n");
    write(7, "next\n");
    lines.flush();

    assertThat(texts()).containsExactly("x".repeat(100), "next");
    assertThat(out).extracting(Line::cut).containsExactly(true, false);
  }

  @Test
  void theRestOfALineThatHasGoneOutCutIsNoLineOfItsOwn() {
    write(7, "x".repeat(120));
    lines.advance(now + PATIENCE);
    write(7, "x".repeat(120));
    lines.advance(now + 2 * PATIENCE);
    write(7, "x".repeat(20) + "\nnext\n");
    write(7, "last\n");
    lines.flush();

    assertThat(texts()).containsExactly("x".repeat(100), "next", "last");
    assertThat(out).extracting(Line::cut).containsExactly(true, false, false);
    assertThat(out).extracting(Line::shared).containsOnly(false);
  }

  @Test
  void aRestOfWhichTheEndWasNotSeenSwallowsNothing() {
    write(7, "x".repeat(120));
    lines.advance(now + PATIENCE);
    byte[] rest = "x".repeat(50).getBytes(ISO_8859_1);
    lines.written(new Write(1, 7, 1, now, rest, rest.length, false, Told.NOTHING, null, NAME));
    write(7, "next\n");
    lines.flush();

    assertThat(texts()).containsExactly("x".repeat(100), "next");
  }

  @Test
  void aWriteThatWasNotSeenWholeEndsItsLine() {
    byte[] bytes = "begins\nand is l".getBytes(ISO_8859_1);
    lines.written(new Write(1, 7, 1, now, bytes, bytes.length, false, Told.NOTHING, null, NAME));
    write(7, "next\n");
    lines.flush();

    assertThat(texts()).containsExactly("begins", "and is l", "next");
    assertThat(out).extracting(Line::cut).containsExactly(false, true, false);
  }

  @Test
  void theLinesOfAProcessEndWithIt() {
    write(7, "last words");
    lines.ended(2);
    assertThat(out).isEmpty();
    lines.ended(1);

    assertThat(texts()).containsExactly("last words");
  }

  @Test
  void emptyLinesAreNone() {
    write(7, "\n\n\n");
    write(7, "\r\n");
    lines.flush();

    assertThat(texts()).isEmpty();
  }

  @Test
  void whatIsHeldIsBounded() {
    for (int tid = 1; tid <= 1_000; tid++) {
      write(tid, "y".repeat(90));
      assertThat(lines.held()).isLessThanOrEqualTo(1_000);
    }
    lines.flush();

    assertThat(out).hasSize(1_000);
    assertThat(lines.held()).isZero();
  }

  @Test
  void howeverLinesAreCutIntoWritesTheyComeOutTheSame() {
    String text = "first\nsecond, longer\nthird\n";
    SplittableRandom random = new SplittableRandom(17);
    for (int round = 0; round < 1_000; round++) {
      out.clear();
      for (int at = 0; at < text.length(); ) {
        int end = Math.min(text.length(), at + 1 + random.nextInt(9));
        write(7, text.substring(at, end));
        at = end;
      }
      lines.flush();
      assertThat(texts()).containsExactly("first", "second, longer", "third");
    }
  }

  private void write(int tid, String text) {
    write(tid, null, text);
  }

  private void write(int tid, @Nullable SpanContext span, String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    Told told = span == null ? Told.NOTHING : Told.BY_RECORD;
    lines.written(new Write(1, tid, 1, ++now, bytes, bytes.length, true, told, span, NAME));
  }

  private List<String> texts() {
    return out.stream().map(line -> new String(line.bytes(), ISO_8859_1)).toList();
  }
}
