/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are no recordings, or no longer: each ends in a result or a clear refusal. */
final class DamagedRecordingTest {
  @TempDir Path folder;

  @Test
  void anEmptyFileIsRefused() throws IOException {
    assertRefused(new byte[0], "not a JFR file: it is empty (at offset 0)");
  }

  @Test
  void aZipIsRefusedByName() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("a.jfr"));
    }
    assertRefused(
        bytes.toByteArray(),
        "not a JFR file: starts with 50 4b 03 04 (PK, a zip: unpack it first) (at offset 0)");
  }

  @Test
  void aCompressedFileIsRefusedByName() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(1);
    }
    assertRefused(
        bytes.toByteArray(),
        "not a JFR file: starts with 1f 8b 08 00 (gzip: unpack it first) (at offset 0)");
  }

  @Test
  void whatStartsWithAnythingElseIsRefusedWithIt() throws IOException {
    assertRefused(new byte[] {'h', 'i'}, "not a JFR file: starts with 68 69 (at offset 0)");
    assertThatThrownBy(() -> JfrFile.open(folder))
        .isInstanceOf(JfrFormatException.class)
        .hasMessageContaining("it is a folder");
    assertThatThrownBy(() -> JfrFile.open(folder.resolve("absent")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aHeaderThatIsCutOffIsRefused() throws IOException {
    byte[] intact = Files.readAllBytes(WrittenRecordings.datadog(folder));
    assertRefused(
        Arrays.copyOf(intact, 50), "the header of a chunk is cut off after 50 bytes (at offset 0)");
  }

  @Test
  void whatFollowsTheLastChunkAndIsNoneIsRefusedWithItsPlace() throws IOException {
    byte[] intact = Files.readAllBytes(WrittenRecordings.datadog(folder));
    byte[] longer = Arrays.copyOf(intact, intact.length + 100);
    assertRefused(
        longer, "no chunk starts here: starts with 00 00 00 00 (at offset " + intact.length + ")");
  }

  @Test
  void aCutChunkAfterAWholeOneLeavesTheWholeOneReadable() throws IOException {
    byte[] intact = Files.readAllBytes(WrittenRecordings.datadog(folder));
    byte[] twice = Arrays.copyOf(intact, 2 * intact.length - 500);
    System.arraycopy(intact, 0, twice, intact.length, intact.length - 500);
    Path file = Files.write(folder.resolve("cut.jfr"), twice);
    List<String> warnings = new ArrayList<>();
    assertThat(count(file, warnings)).isGreaterThanOrEqualTo(WrittenRecordings.EVENTS);
    assertThat(warnings.getFirst())
        .contains("the chunk should have " + intact.length + " bytes but the file ends after ");
  }

  @Test
  void aChunkWithoutSizeIsReadToTheLastCompleteEvent() throws IOException {
    byte[] bytes = Files.readAllBytes(WrittenRecordings.datadog(folder));
    // As an unfinished chunk is: neither its size nor its offsets are known yet.
    ByteBuffer.wrap(bytes).putLong(8, 0).putLong(16, 0).putLong(24, 0);
    Path file = Files.write(folder.resolve("unfinished.jfr"), bytes);
    List<String> warnings = new ArrayList<>();
    assertThat(count(file, warnings)).isEqualTo(WrittenRecordings.EVENTS);
    assertThat(warnings).singleElement().asString().contains("still being written");
  }

  @Test
  void noMutationOfAWrittenRecordingDoesWorseThanToBeRefused() throws IOException {
    assertSurvives(WrittenRecordings.datadog(folder), 3000, 997);
  }

  @Test
  void noMutationOfAHotSpotRecordingDoesWorseThanToBeRefused() throws IOException {
    Path recording = Recordings.hotSpot(folder);
    assertSurvives(recording, 300, (int) (Files.size(recording) / 997) * 5 + 1);
  }

  private static void assertSurvives(Path recording, int mutations, int step) {
    List<String> lines =
        Recordings.java(
            List.of("-Xmx256m"),
            Damage.class,
            recording.toString(),
            Integer.toString(mutations),
            Integer.toString(step));
    assertThat(lines.getLast()).startsWith("read ");
  }

  private static int count(Path path, List<String> warnings) throws IOException {
    int[] count = new int[1];
    try (JfrFile file = JfrFile.open(path)) {
      for (JfrChunk chunk : file.chunks()) {
        try (ChunkReader reader = chunk.open()) {
          reader.subscribe("datadog.ExecutionSample", "spanId");
          reader.forEachEvent(event -> count[0]++);
        }
      }
      warnings.addAll(file.warnings());
    }
    return count[0];
  }

  private void assertRefused(byte[] bytes, String message) throws IOException {
    Path file = Files.write(folder.resolve("refused.jfr"), bytes);
    assertThatThrownBy(() -> JfrFile.open(file).close())
        .isInstanceOf(JfrFormatException.class)
        .hasMessage(file + ": " + message);
  }
}
