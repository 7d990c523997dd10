/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The user's files have whole pieces, of the session that is. */
@Requires(commands = "prlimit")
class RecordingFileTest {
  private static final String EVENT = "dev.sennit.test.Piece";

  @TempDir Path folder;
  private Path piece;

  @Name(EVENT)
  static final class PieceEvent extends Event {}

  /** Puts pieces into a file, the first of its arguments. */
  static final class Appender {
    private Appender() {}

    public static void main(String[] arguments) throws IOException {
      RecordingFile file = new RecordingFile(Path.of(arguments[0]));
      for (int i = 1; i < arguments.length; i++) {
        file.append(Path.of(arguments[i]));
        System.out.println(Files.size(Path.of(arguments[0])));
      }
    }
  }

  @BeforeEach
  void record() throws IOException {
    piece = folder.resolve("piece");
    try (Recording recording = new Recording()) {
      recording.enable(PieceEvent.class);
      recording.start();
      new PieceEvent().commit();
      recording.stop();
      recording.dump(piece);
    }
    assertThat(pieces(piece)).isEqualTo(1);
  }

  private static int pieces(Path file) throws IOException {
    return (int)
        jdk.jfr.consumer.RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals(EVENT))
            .count();
  }

  private ChunkShipper shipper(Path file) {
    return ChunkShipper.open(
        ProfilerOptions.parse("start,file=" + file, name -> null, name -> null));
  }

  @Test
  void aPieceForWhichThereIsNoRoomIsLeftOutAndTheFileStaysReadable() throws IOException {
    Path target = folder.resolve("all.jfr");
    Path little = Files.write(folder.resolve("little"), new byte[] {1, 2, 3});
    long size = Files.size(piece);
    List<String> command =
        new ArrayList<>(List.of("prlimit", "--fsize=" + (2 * size + size / 2), "--"));
    command.addAll(
        ChildProcess.javaCommand(
            // Its file for performance counters need not fit.
            List.of("-XX:-UsePerfData"),
            Appender.class,
            target.toString(),
            piece.toString(),
            piece.toString(),
            piece.toString(),
            piece.toString(),
            little.toString(),
            piece.toString()));
    try (ChildProcess child = ChildProcess.start(command)) {
      long after = 2 * size + 3;
      assertThat(child.readAll())
          .containsExactly(
              "" + size, "" + 2 * size, "" + 2 * size, "" + 2 * size, "" + after, "" + after);
      assertThat(child.waitFor()).isZero();
      assertThat(child.errors().lines())
          .satisfiesExactly(
              line -> assertThat(line).contains("is not in " + target),
              line -> assertThat(line).contains("are put into " + target + " again"),
              line -> assertThat(line).contains("is not in " + target));
    }
    Path readable = folder.resolve("readable.jfr");
    Files.write(readable, Arrays.copyOf(Files.readAllBytes(target), (int) (2 * size)));
    assertThat(pieces(readable)).isEqualTo(2);
  }

  @Test
  void aThreadThatSomebodyHasInterruptedWritesAllTheSame() throws IOException {
    Path target = folder.resolve("all.jfr");
    RecordingFile file = new RecordingFile(target);
    file.append(piece);
    Thread.currentThread().interrupt();
    file.append(piece);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(pieces(target)).isEqualTo(2);
  }

  @Test
  void theFileOfACommandIsReplacedWhenASessionFirstNamesIt() throws IOException {
    Path other = Files.writeString(folder.resolve("other.jfr"), "no recording");
    for (int session = 0; session < 2; session++) {
      try (ChunkShipper shipper = shipper(folder.resolve("main.jfr"))) {
        for (int i = 1; i <= 2; i++) {
          shipper.ship(piece);
          shipper.append(piece, other);
          assertThat(pieces(other)).isEqualTo(i);
        }
      }
    }
    assertThat(pieces(folder.resolve("main.jfr"))).isEqualTo(2);
  }

  @Test
  void theFolderOfACommandsFileIsMade() throws IOException {
    Path other = folder.resolve("new").resolve("other.jfr");
    try (ChunkShipper shipper = shipper(folder.resolve("main.jfr"))) {
      shipper.append(piece, other);
    }
    assertThat(pieces(other)).isEqualTo(1);
  }

  @Test
  void theSessionsOwnFileByAnotherNameHasEachPieceOnce() throws IOException {
    Path main = folder.resolve("main.jfr");
    Path link = Files.createSymbolicLink(folder.resolve("link.jfr"), main);
    try (ChunkShipper shipper = shipper(main)) {
      for (Path name : List.of(main, folder.resolve(".").resolve("main.jfr"), link)) {
        shipper.ship(piece);
        shipper.append(piece, name);
      }
    }
    assertThat(pieces(main)).isEqualTo(3);
  }
}
