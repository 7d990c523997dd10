/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTailsTest {
  static final BooleanSupplier ALL = () -> false;

  @TempDir Path folder;

  private final List<String> lines = new ArrayList<>();
  private Path log = Path.of("/");
  private Path positions = Path.of("/");

  @BeforeEach
  void names() throws IOException {
    log = Files.createDirectory(folder.resolve("logs")).resolve("app.log");
    positions = folder.resolve("positions");
  }

  private TailSettings settings(String pattern, boolean fromBeginning, int longest, int round) {
    return new TailSettings(
        List.of(pattern), fromBeginning, longest, round, 100, Duration.ZERO, Duration.ZERO);
  }

  private FileTails open(boolean fromBeginning) throws IOException {
    return FileTails.open(settings(log.toString(), fromBeginning, 100, 1000), positions);
  }

  private void take(Path file, byte[] bytes, int from, int to, boolean cut) {
    lines.add(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1) + (cut ? "…" : ""));
  }

  /** What is read until there is no more, with one more look for files that came to their end. */
  private List<String> read(FileTails tails) throws IOException {
    lines.clear();
    boolean more = true;
    for (int i = 0; i < 3 || more; i++) {
      more = tails.poll(this::take, ALL);
    }
    tails.acknowledge();
    return List.copyOf(lines);
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(
        file,
        text,
        StandardCharsets.ISO_8859_1,
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  @Test
  void aFileIsReadFromItsEndOrItsBeginning() throws IOException {
    append(log, "old\nhalf");
    try (FileTails tails = open(false)) {
      append(log, " and half\nnew\n");
      assertThat(read(tails)).containsExactly("half and half", "new");
    }
    Files.delete(positions);
    try (FileTails tails = open(true)) {
      assertThat(read(tails)).containsExactly("old", "half and half", "new");
    }
  }

  @Test
  void aLineWithoutItsEndWaits() throws IOException {
    try (FileTails tails = open(true)) {
      append(log, "one\ntw");
      assertThat(read(tails)).containsExactly("one");
      append(log, "o\n\n");
      assertThat(read(tails)).containsExactly("two", "");
    }
  }

  @Test
  void aFileThatAppearsLaterIsReadFromItsBeginning() throws IOException {
    String pattern = folder.resolve("logs/*.log").toString();
    try (FileTails tails = FileTails.open(settings(pattern, false, 100, 1000), positions)) {
      assertThat(read(tails)).isEmpty();
      append(log, "one\n");
      append(log.resolveSibling("other.log"), "two\n");
      append(log.resolveSibling("other.txt"), "three\n");
      assertThat(read(tails)).containsExactly("one", "two");
    }
  }

  @Test
  void aFileThatAppearedWhileNobodyReadIsReadFromItsBeginning() throws IOException {
    try (FileTails tails = open(false)) {
      assertThat(read(tails)).isEmpty();
    }
    append(log, "one\n");
    try (FileTails tails = open(false)) {
      assertThat(read(tails)).containsExactly("one");
    }
  }

  @Test
  void aLongLineIsCutAndTheNextOneIsWhole() throws IOException {
    try (FileTails tails = open(true)) {
      append(log, "x".repeat(5000) + "\nnext\n" + "y".repeat(100) + "\n" + "z".repeat(101));
      assertThat(read(tails))
          .containsExactly("x".repeat(100) + "…", "next", "y".repeat(100), "z".repeat(100) + "…");
      append(log, "zzz");
      assertThat(read(tails)).isEmpty();
    }
    try (FileTails tails = open(true)) {
      append(log, "zzz\nlast\n");
      assertThat(read(tails)).containsExactly("last");
    }
  }

  @Test
  void bytesStayWhatTheyAre() throws IOException {
    try (FileTails tails = open(true)) {
      append(log, "\u0000\u00ff\u00fe\r\n");
      assertThat(read(tails)).containsExactly("\u0000\u00ff\u00fe\r");
    }
  }

  @Test
  void oneFastFileDoesNotStarveTheOthers() throws IOException {
    append(log, "fast\n".repeat(10_000));
    append(log.resolveSibling("b.log"), "slow\n");
    String pattern = folder.resolve("logs/*.log").toString();
    try (FileTails tails = FileTails.open(settings(pattern, true, 100, 1000), positions)) {
      assertThat(tails.poll(this::take, ALL)).isTrue();
      assertThat(lines).contains("slow").hasSizeLessThan(300);
    }
  }

  @Test
  void filesTakeTurnsWhereOneIsEnough() throws IOException {
    for (String name : List.of("a", "b", "c")) {
      append(log.resolveSibling(name + ".log"), name + "\n");
    }
    TailSettings settings = settings(log.resolveSibling("*.log").toString(), true, 100, 1000);
    try (FileTails tails = FileTails.open(settings, positions)) {
      assertThat(tails.poll(this::take, () -> true)).isTrue();
      assertThat(lines).containsExactly("a");
      append(log.resolveSibling("a.log"), "again\n");
      assertThat(tails.poll(this::take, () -> true)).isTrue();
      assertThat(tails.poll(this::take, () -> true)).isTrue();
      assertThat(lines).containsExactly("a", "b", "c");
      assertThat(tails.poll(this::take, () -> true)).isTrue();
      assertThat(lines).containsExactly("a", "b", "c", "again");
    }
  }

  @Test
  void theRestOfARenamedFileComesBeforeTheNewOne() throws IOException {
    try (FileTails tails = open(true)) {
      append(log, "one\n");
      assertThat(read(tails)).containsExactly("one");
      append(log, "two\nlast without an end");
      Files.move(log, log.resolveSibling("app.log.1"));
      append(log, "three\n");
      assertThat(read(tails)).containsExactly("two", "last without an end", "three");
    }
  }

  @Test
  void filesThatCameAndWentBetweenTwoLooksAreRead() throws IOException {
    append(log, "one\n");
    try (FileTails tails = open(true)) {
      assertThat(read(tails)).containsExactly("one");
      append(log, "two\n");
      Files.move(log, log.resolveSibling("app.log.2"));
      append(log.resolveSibling("app.log.1"), "three, in a file of its own\n");
      append(log, "four\n");
      assertThat(read(tails)).containsExactly("two", "three, in a file of its own", "four");
      assertThat(read(tails)).isEmpty();
    }
  }

  @Test
  void aFileThatWasTurnedOverWhileNobodyReadIsFinished() throws IOException {
    try (FileTails tails = open(true)) {
      append(log, "one\n");
      assertThat(read(tails)).containsExactly("one");
    }
    append(log, "two\n");
    Files.move(log, log.resolveSibling("app-2026-11-15.log"));
    append(log, "three\n");
    try (FileTails tails = open(true)) {
      assertThat(read(tails)).containsExactly("two", "three");
    }
    try (FileTails tails = open(true)) {
      assertThat(read(tails)).isEmpty();
    }
  }

  @Test
  void anEmptiedFileBeginsAnewAndItsCopyIsReadFromWhereItWas() throws IOException {
    try (FileTails tails = open(true)) {
      append(log, "one, long enough to be known\n");
      assertThat(read(tails)).hasSize(1);
      append(log, "two\n");
      Files.copy(log, log.resolveSibling("app.log.1"));
      Files.writeString(log, "", StandardOpenOption.TRUNCATE_EXISTING);
      append(log, "three, and far more than what was there before it was emptied\n");
      assertThat(read(tails))
          .containsExactly("two", "three, and far more than what was there before it was emptied");
    }
  }

  @Test
  void anEmptiedFileWithoutACopyBeginsAnew() throws IOException {
    try (FileTails tails = open(true)) {
      append(log, "one\ntwo\n");
      assertThat(read(tails)).containsExactly("one", "two");
      Files.writeString(log, "x\n", StandardOpenOption.TRUNCATE_EXISTING);
      assertThat(read(tails)).containsExactly("x");
    }
  }

  @Test
  void aDeletedFileIsReadToItsEndAndOneThatComesBackFromItsBeginning() throws IOException {
    try (FileTails tails = open(true)) {
      append(log, "one\n");
      assertThat(read(tails)).containsExactly("one");
      append(log, "two\n");
      Files.delete(log);
      assertThat(read(tails)).containsExactly("two");
      append(log, "three\n");
      assertThat(read(tails)).containsExactly("three");
    }
  }

  @Test
  void aLinkIsFollowedToWhereItPointsNow() throws IOException {
    Path first = folder.resolve("first");
    Path second = folder.resolve("second");
    append(first, "one\n");
    Files.createSymbolicLink(log, first);
    try (FileTails tails = open(true)) {
      assertThat(read(tails)).containsExactly("one");
      append(first, "two\n");
      append(second, "three\n");
      Files.delete(log);
      Files.createSymbolicLink(log, second);
      assertThat(read(tails)).containsExactly("two", "three");
    }
  }

  @Test
  void whatAPatternAlsoFindsAfterRenamingIsNotReadAgain() throws IOException {
    String pattern = folder.resolve("logs/app.log*").toString();
    try (FileTails tails = FileTails.open(settings(pattern, true, 100, 1000), positions)) {
      append(log, "one\n");
      assertThat(read(tails)).containsExactly("one");
      Files.move(log, log.resolveSibling("app.log.1"));
      append(log, "two\n");
      assertThat(read(tails)).containsExactly("two");
      assertThat(read(tails)).isEmpty();
    }
    try (FileTails tails = FileTails.open(settings(pattern, true, 100, 1000), positions)) {
      assertThat(read(tails)).isEmpty();
    }
  }

  @Test
  void whatWasNotAcknowledgedComesAgain() throws IOException {
    append(log, "one\n");
    try (FileTails tails = open(true)) {
      assertThat(read(tails)).containsExactly("one");
      append(log, "two\n");
      tails.poll(this::take, ALL);
    }
    try (FileTails tails = open(true)) {
      assertThat(read(tails)).containsExactly("two");
    }
  }

  @Test
  void aLineThatTheSinkRefusesComesAgain() throws IOException {
    append(log, "one\ntwo\n");
    try (FileTails tails = open(true)) {
      assertThatThrownBy(
              () ->
                  tails.poll(
                      (file, bytes, from, to, cut) -> {
                        take(file, bytes, from, to, cut);
                        if (lines.size() == 2) {
                          throw new IllegalStateException("full");
                        }
                      },
                      ALL))
          .hasMessage("full");
      assertThat(read(tails)).containsExactly("two");
    }
  }

  @Test
  void moreFilesThanTheBoundAreLeftAlone() throws IOException {
    for (int i = 0; i < 105; i++) {
      append(log.resolveSibling("x" + i + ".log"), "line\n");
    }
    String pattern = folder.resolve("logs/*.log").toString();
    try (FileTails tails = FileTails.open(settings(pattern, true, 100, 1000), positions)) {
      assertThat(read(tails)).hasSize(100);
      assertThat(tails.leftAlone()).isEqualTo(5);
    }
  }

  @Test
  void wrongSettingsAndPositionsAreNamed() throws IOException {
    assertThatThrownBy(() -> TailSettings.of(List.of("logs/*.log")))
        .hasMessage("the file to follow \"logs/*.log\" is not an absolute path");
    Files.writeString(positions, "something else\n");
    assertThatThrownBy(() -> open(true))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is no file of positions: it begins with \"something else\"");
  }
}
