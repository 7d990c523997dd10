/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.JfrToOtlpConverter;
import dev.sennit.profiles.Profile;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.jfr.Recordings;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PprofWriterTest {
  @TempDir Path folder;

  @Test
  void everyProfileIsASampleTypeAndASampleHasItsStackValueAndLabels() throws IOException {
    PprofReader pprof = new PprofReader(write(handMade()));
    assertThat(pprof.firstString()).isEmpty();
    assertThat(pprof.sampleTypes).containsExactly("samples/count", "cpu-time/count");
    assertThat(pprof.defaultType).isEqualTo("samples");
    assertThat(pprof.time).isEqualTo(1_000);
    assertThat(pprof.duration).isEqualTo(500);
    assertThat(pprof.period).isEqualTo(10);
    assertThat(pprof.samples)
        .containsExactlyInAnyOrder(
            new PprofReader.Sample(
                List.of("main:10", "run:11"), List.of(5L, 0L), Map.of("thread", "main")),
            new PprofReader.Sample(
                List.of("main:10", HandMade.HOSTILE + ":11"),
                List.of(0L, 9L),
                Map.of(
                    "thread", "main",
                    "trace id", "00000000000000ab00000000000000ab",
                    "span id", "00000000000000cd")));
  }

  @Test
  void nothingOfARecordingIsLost() throws IOException {
    ProfileExport export = new JfrToOtlpConverter().addFile(Recordings.hotSpot(folder)).read();
    PprofReader pprof = new PprofReader(write(export));
    assertThat(pprof.sampleTypes).hasSize(export.profiles().size()).doesNotHaveDuplicates();
    for (int column = 0; column < export.profiles().size(); column++) {
      Profile profile = export.profiles().get(column);
      long expected = 0;
      for (int i = 0; i < profile.sampleCount(); i++) {
        expected += StackTree.sum(profile, i);
      }
      int at = column;
      assertThat(pprof.samples.stream().mapToLong(sample -> sample.values().get(at)).sum())
          .isEqualTo(expected);
    }
    assertThat(pprof.samples).anySatisfy(s -> assertThat(s.labels()).containsKey("thread"));
  }

  @Test
  @Requires(commands = "go")
  void goToolPprofReadsIt() throws IOException, InterruptedException {
    // Go builds its tool at the first use, in silence and for as long as it takes.
    new ProcessBuilder("go", "tool", "-n", "pprof")
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
    Path file = folder.resolve("profile.pb.gz");
    Files.write(file, write(handMade()));
    ProcessBuilder builder =
        new ProcessBuilder("go", "tool", "pprof", "-top", "-symbolize=none", file.toString());
    builder.environment().put("PPROF_TMPDIR", folder.toString());
    try (ChildProcess go = ChildProcess.start(builder)) {
      List<String> lines = go.readAll();
      assertThat(go.waitFor()).as(go.errors()).isZero();
      assertThat(lines).anyMatch(line -> line.matches(" +5 .* 100% +run"));
    }
  }

  private static ProfileExport handMade() {
    return new HandMade()
        .sample(2, "main", "run")
        .sample(3, "main", "run")
        .profile("cpu", "samples", "count")
        .sample(9, 0xab, 0xcd, "main", HandMade.HOSTILE)
        .profile("cpu-time", "samples", "count")
        .export();
  }

  private static byte[] write(ProfileExport export) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PprofWriter.write(export, out);
    return out.toByteArray();
  }
}
