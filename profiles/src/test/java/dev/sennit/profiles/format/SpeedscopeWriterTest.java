/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.protobuf.util.JsonFormat;
import dev.sennit.profiles.ProfileExport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpeedscopeWriterTest {
  @Test
  void aProfileHasEachStackOnceWithItsWeight() throws IOException {
    Struct file =
        write(
            new HandMade()
                .sample(2, "main", "run")
                .sample(3, 7, 8, "main", "run")
                .sample(4, "main", HandMade.HOSTILE)
                .sample(0, "main", "idle")
                .profile("cpu", "samples", "count")
                .sample(4096, "main", "run")
                .profile("alloc-samples", "allocated_space", "bytes")
                .export());
    assertThat(file.getFieldsOrThrow("$schema").getStringValue())
        .isEqualTo("https://www.speedscope.app/file-format-schema.json");
    List<Value> profiles = list(file, "profiles").getValuesList();
    assertThat(profiles).hasSize(2);
    Struct cpu = profiles.getFirst().getStructValue();
    assertThat(text(cpu, "type")).isEqualTo("sampled");
    assertThat(text(cpu, "name")).isEqualTo("cpu");
    assertThat(text(cpu, "unit")).isEqualTo("none");
    assertThat(cpu.getFieldsOrThrow("startValue").getNumberValue()).isZero();
    assertThat(cpu.getFieldsOrThrow("endValue").getNumberValue()).isEqualTo(9);
    assertThat(stacks(file, cpu))
        .isEqualTo(Map.of("main|run", 5.0, "main|" + HandMade.HOSTILE, 4.0));
    Struct allocations = profiles.getLast().getStructValue();
    assertThat(text(allocations, "unit")).isEqualTo("bytes");
    assertThat(stacks(file, allocations)).isEqualTo(Map.of("main|run", 4096.0));
  }

  /** Stacks with the outermost frame first, and what they weigh. */
  private static Map<String, Double> stacks(Struct file, Struct profile) {
    List<String> names =
        list(file.getFieldsOrThrow("shared").getStructValue(), "frames").getValuesList().stream()
            .map(frame -> text(frame.getStructValue(), "name"))
            .toList();
    List<Value> samples = list(profile, "samples").getValuesList();
    List<Value> weights = list(profile, "weights").getValuesList();
    assertThat(samples).hasSameSizeAs(weights);
    Map<String, Double> stacks = new HashMap<>();
    for (int i = 0; i < samples.size(); i++) {
      List<String> stack =
          samples.get(i).getListValue().getValuesList().stream()
              .map(frame -> names.get((int) frame.getNumberValue()))
              .toList();
      assertThat(stacks.put(String.join("|", stack), weights.get(i).getNumberValue())).isNull();
    }
    return stacks;
  }

  private static ListValue list(Struct object, String name) {
    return object.getFieldsOrThrow(name).getListValue();
  }

  private static String text(Struct object, String name) {
    return object.getFieldsOrThrow(name).getStringValue();
  }

  private static Struct write(ProfileExport export) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SpeedscopeWriter.write(export, out);
    Struct.Builder file = Struct.newBuilder();
    JsonFormat.parser().merge(out.toString(StandardCharsets.UTF_8), file);
    return file.build();
  }
}
