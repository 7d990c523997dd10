/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** A small recording with Datadog's events and spans, by the writer of Java Mission Control. */
public final class DatadogRecording {
  /** The fields of an event about an object. */
  static final Map<String, Types.Builtin> SAMPLE =
      Map.of(
          "spanId",
          Types.Builtin.LONG,
          "localRootSpanId",
          Types.Builtin.LONG,
          "size",
          Types.Builtin.LONG,
          "weight",
          Types.Builtin.FLOAT);

  private static final Map<String, Types.Builtin> SCOPE =
      Map.of(
          "duration",
          Types.Builtin.LONG,
          "traceIdHigh",
          Types.Builtin.LONG,
          "traceIdLow",
          Types.Builtin.LONG,
          "spanId",
          Types.Builtin.LONG);

  private DatadogRecording() {}

  public static Path write(Path file) throws IOException {
    try (SampleWriter writer = new SampleWriter(file)) {
      writer.declare("datadog.ObjectSample", SAMPLE, true);
      writer.declare("datadog.ExecutionSample", SAMPLE, true);
      writer.declare("dev.sennit.Scope", SCOPE, false);
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
    return file;
  }
}
