/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;
import java.nio.file.Path;
import org.openjdk.jmc.flightrecorder.writer.api.Recording;
import org.openjdk.jmc.flightrecorder.writer.api.Recordings;
import org.openjdk.jmc.flightrecorder.writer.api.Type;
import org.openjdk.jmc.flightrecorder.writer.api.TypedValue;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** Recordings by the writer of Java Mission Control, with the types of Datadog's profiler. */
final class WrittenRecordings {
  static final int EVENTS = 50;

  private WrittenRecordings() {}

  static Path datadog(Path folder) throws IOException {
    Path file = folder.resolve("datadog.jfr");
    try (Recording recording =
        Recordings.newRecording(file, settings -> settings.withJdkTypeInitialization())) {
      Type stack = recording.getType(Types.JDK.STACK_TRACE);
      Type frame = recording.getType(Types.JDK.STACK_FRAME);
      Type details =
          recording.registerType(
              "acme.Details",
              type ->
                  type.addField("several", Types.Builtin.STRING, field -> field.asArray())
                      .addField("numbers", Types.Builtin.LONG, field -> field.asArray()));
      Type event =
          recording.registerEventType(
              "datadog.ExecutionSample",
              type ->
                  type.addField("spanId", Types.Builtin.LONG)
                      .addField("localRootSpanId", Types.Builtin.LONG)
                      .addField("weight", Types.Builtin.INT)
                      .addField("ratio", Types.Builtin.DOUBLE)
                      .addField("share", Types.Builtin.FLOAT)
                      .addField("flag", Types.Builtin.BOOLEAN)
                      .addField("small", Types.Builtin.BYTE)
                      .addField("shorter", Types.Builtin.SHORT)
                      .addField("letter", Types.Builtin.CHAR)
                      .addField("operation", Types.Builtin.STRING)
                      .addField("details", details)
                      .addField("last", Types.Builtin.LONG));
      for (int i = 0; i < EVENTS; i++) {
        int n = i;
        recording.writeEvent(
            event.asValue(
                value ->
                    value
                        .putField("startTime", 1_000L + n)
                        .putField("spanId", spanId(n))
                        .putField("localRootSpanId", -1L)
                        .putField("weight", -n)
                        .putField("ratio", n / 3.0)
                        .putField("share", n / 4f)
                        .putField("flag", n % 2 == 0)
                        .putField("small", (byte) -n)
                        .putField("shorter", (short) (-300 * n))
                        .putField("letter", (char) (0xff00 + n))
                        .putField("operation", n % 3 == 0 ? null : "op \u00fc\u4e2d " + n)
                        .putField(
                            "details",
                            details.asValue(
                                d ->
                                    d.putField("several", new String[] {"a", "b" + n})
                                        .putField("numbers", new long[] {n, -n, Long.MIN_VALUE})))
                        .putField(
                            "stackTrace",
                            stack.asValue(
                                s ->
                                    s.putField("truncated", n % 5 == 0)
                                        .putField("frames", frame(recording, frame, n))))
                        .putField("last", 7L * n)));
      }
    }
    return file;
  }

  /** Values that need nine bytes when compressed are among them. */
  static long spanId(int i) {
    return i * 0x9e37_79b9_7f4a_7c15L;
  }

  private static TypedValue[] frame(Recording recording, Type frame, int n) {
    var frames = new TypedValue[n % 7 + 1];
    for (int i = 0; i < frames.length; i++) {
      int line = 100 * n + i;
      frames[i] =
          frame.asValue(
              f ->
                  f.putField(
                          "method",
                          recording
                              .getType(Types.JDK.METHOD)
                              .asValue(
                                  m ->
                                      m.putField(
                                              "type",
                                              recording
                                                  .getType(Types.JDK.CLASS)
                                                  .asValue(
                                                      c ->
                                                          c.putField(
                                                              "name",
                                                              symbol(recording, "com/acme/C" + n))))
                                          .putField("name", symbol(recording, "run" + n))
                                          .putField("descriptor", symbol(recording, "()V"))
                                          .putField("modifiers", 1)))
                      .putField("lineNumber", line)
                      .putField("bytecodeIndex", -1)
                      .putField(
                          "type",
                          recording
                              .getType(Types.JDK.FRAME_TYPE)
                              .asValue(t -> t.putField("description", "Interpreted"))));
    }
    return frames;
  }

  private static TypedValue symbol(Recording recording, String text) {
    return recording.getType(Types.JDK.SYMBOL).asValue(s -> s.putField("string", text));
  }
}
