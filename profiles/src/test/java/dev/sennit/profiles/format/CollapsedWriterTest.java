/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.ConversionOptions;
import dev.sennit.profiles.JfrToOtlpConverter;
import dev.sennit.profiles.ProfileExport;
import dev.sennit.profiles.ProfileType;
import dev.sennit.profiles.jfr.Recordings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollapsedWriterTest {
  @TempDir Path folder;

  @Test
  void aLineIsAStackWithTheSumOfItsSamples() throws IOException {
    ProfileExport export =
        new HandMade()
            .sample(2, "main", "run")
            .sample(3, 7, 8, "main", "run")
            .sample(4, "main", "run", "write()")
            .sample(0, "main", "idle")
            .sample(5)
            .profile("cpu", "samples", "count")
            .export();
    assertThat(lines(export))
        .containsExactlyInAnyOrder("main;run 5", "main;run;write() 4", "[no stack] 5");
  }

  @Test
  void aNameIsOneFrameOfOneLine() throws IOException {
    ProfileExport export =
        new HandMade()
            .sample(1, "main", HandMade.HOSTILE)
            .profile("cpu", "samples", "count")
            .export();
    assertThat(lines(export)).containsExactly("main;a</script><script>alert(1)//\"'&\\:_\u202eb 1");
  }

  @Test
  void stacksOfARecordingAreThoseOfTheJdksReader() throws IOException {
    Path recording = Recordings.hotSpot(folder);
    ProfileExport export =
        new JfrToOtlpConverter(ConversionOptions.defaults().withTypes(EnumSet.of(ProfileType.PARK)))
            .addFile(recording)
            .read();
    Map<String, Long> expected = new HashMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(recording)) {
      if (event.getEventType().getName().equals("jdk.ThreadPark")) {
        String stack =
            event.getStackTrace().getFrames().reversed().stream()
                .map(f -> f.getMethod().getType().getName() + "." + f.getMethod().getName())
                .collect(Collectors.joining(";"));
        expected.merge(stack, event.getDuration().toNanos(), Long::sum);
      }
    }
    Map<String, Long> actual = new HashMap<>();
    for (String line : lines(export)) {
      int space = line.lastIndexOf(' ');
      assertThat(actual.put(line.substring(0, space), Long.parseLong(line.substring(space + 1))))
          .as("every stack stands once")
          .isNull();
    }
    assertThat(actual).isNotEmpty().isEqualTo(expected);
  }

  private static List<String> lines(ProfileExport export) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CollapsedWriter.write(export, export.profiles().getFirst(), out);
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
