/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.jfr.Recordings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** Damaged recordings end in a result or in a clear refusal, with little memory. */
class DamagedConversionTest {
  @TempDir Path folder;

  @Test
  void noMutationDoesWorseThanToBeRefused() throws IOException {
    Path recording = folder.resolve("intact.jfr");
    try (SampleWriter writer = new SampleWriter(recording)) {
      Map<String, Types.Builtin> fields =
          Map.of(
              "spanId",
              Types.Builtin.LONG,
              "localRootSpanId",
              Types.Builtin.LONG,
              "size",
              Types.Builtin.LONG,
              "weight",
              Types.Builtin.FLOAT);
      writer.declare("datadog.ObjectSample", fields, true);
      writer.declare("datadog.ExecutionSample", fields, true);
      writer.declare(
          "dev.sennit.Scope",
          Map.of(
              "duration",
              Types.Builtin.LONG,
              "traceIdHigh",
              Types.Builtin.LONG,
              "traceIdLow",
              Types.Builtin.LONG,
              "spanId",
              Types.Builtin.LONG),
          false);
      for (int i = 0; i < 40; i++) {
        int n = i;
        writer.write(
            i % 2 == 0 ? "datadog.ObjectSample" : "datadog.ExecutionSample",
            10L * i,
            event ->
                event
                    .putField("eventThread", writer.thread(n % 3 + 1, "thread"))
                    .putField("stackTrace", writer.stack(n % 5 == 0, List.of("a" + n, "b", "c")))
                    .putField("objectClass", writer.type("[B"))
                    .putField("size", 8L * n)
                    .putField("weight", 1.5f));
        writer.write(
            "dev.sennit.Scope",
            10L * i,
            event ->
                event
                    .putField("eventThread", writer.thread(n % 3 + 1, "thread"))
                    .putField("duration", 5L)
                    .putField("traceIdHigh", 1L)
                    .putField("traceIdLow", 2L)
                    .putField("spanId", (long) n));
      }
    }
    List<String> lines =
        Recordings.java(
            List.of("-Xmx256m"), ConversionDamage.class, recording.toString(), "42", "5000");
    assertThat(lines.getLast()).startsWith("converted ");
  }
}
