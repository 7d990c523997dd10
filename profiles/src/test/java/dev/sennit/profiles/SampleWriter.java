/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.openjdk.jmc.flightrecorder.writer.api.Recording;
import org.openjdk.jmc.flightrecorder.writer.api.Recordings;
import org.openjdk.jmc.flightrecorder.writer.api.Type;
import org.openjdk.jmc.flightrecorder.writer.api.TypedValue;
import org.openjdk.jmc.flightrecorder.writer.api.TypedValueBuilder;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** Writes recordings as others would, with the writer of Java Mission Control. */
public final class SampleWriter implements AutoCloseable {
  /** When a recording starts, in nanoseconds since the epoch; its clock counts nanoseconds. */
  static final long START = 1_750_000_000_000_000_000L;

  /** What the clock shows at the start. */
  static final long START_TICKS = 1_000_000_000;

  private static final String SETTING = "jdk.ActiveSetting";

  private final Recording recording;
  private final Map<String, Type> types = new HashMap<>();

  public SampleWriter(Path file) throws IOException {
    recording =
        Recordings.newRecording(
            file,
            settings ->
                settings
                    .withJdkTypeInitialization()
                    .withTimestamp(START)
                    .withStartTicks(START_TICKS)
                    .withDuration(1_000_000_000));
  }

  /** Declares a type of events with fields beside those that all have. */
  public void declare(String event, Map<String, Types.Builtin> fields, boolean ofClass) {
    types.put(
        event,
        recording.registerEventType(
            event,
            type -> {
              fields.forEach(type::addField);
              if (ofClass) {
                type.addField("objectClass", Types.JDK.CLASS);
              }
            }));
  }

  /** Declares the events by which a recorder tells its settings. */
  void declareSettings() {
    declare(
        SETTING,
        Map.of(
            "id", Types.Builtin.LONG, "name", Types.Builtin.STRING, "value", Types.Builtin.STRING),
        false);
  }

  /** Writes a setting of a type of events that was declared. */
  void setting(String event, String name, String value) {
    long id = declared(event).getId();
    write(
        SETTING,
        0,
        setting -> setting.putField("id", id).putField("name", name).putField("value", value));
  }

  /** Writes an event; all its own fields have to be given. */
  public void write(String event, long time, Consumer<TypedValueBuilder> fields) {
    recording.writeEvent(
        declared(event)
            .asValue(
                value -> {
                  value.putField("startTime", START_TICKS + time);
                  fields.accept(value);
                }));
  }

  private Type declared(String event) {
    Type type = types.get(event);
    if (type == null) {
      throw new IllegalArgumentException(event + " was not declared");
    }
    return type;
  }

  public TypedValue thread(int id, String name) {
    return recording
        .getType(Types.JDK.THREAD)
        .asValue(
            thread ->
                thread
                    .putField("osThreadId", (long) id)
                    .putField("osName", name)
                    .putField("javaThreadId", (long) id)
                    .putField("javaName", name));
  }

  public TypedValue type(String name) {
    return recording.getType(Types.JDK.CLASS).asValue(type -> type.putField("name", symbol(name)));
  }

  /** Each frame is a method of a class of its own, with its number in the list as the line. */
  public TypedValue stack(boolean truncated, List<String> methods) {
    var frames = new TypedValue[methods.size()];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = frame(methods.get(i), i + 1);
    }
    return recording
        .getType(Types.JDK.STACK_TRACE)
        .asValue(stack -> stack.putField("truncated", truncated).putField("frames", frames));
  }

  private TypedValue frame(String method, int line) {
    TypedValue type =
        recording
            .getType(Types.JDK.FRAME_TYPE)
            .asValue(t -> t.putField("description", "Interpreted"));
    TypedValue value =
        recording
            .getType(Types.JDK.METHOD)
            .asValue(
                m ->
                    m.putField("type", type("com/acme/Works"))
                        .putField("name", symbol(method))
                        .putField("descriptor", symbol("()V"))
                        .putField("modifiers", 1));
    return recording
        .getType(Types.JDK.STACK_FRAME)
        .asValue(
            frame ->
                frame
                    .putField("method", value)
                    .putField("lineNumber", line)
                    .putField("bytecodeIndex", -1)
                    .putField("type", type));
  }

  private TypedValue symbol(String text) {
    return recording.getType(Types.JDK.SYMBOL).asValue(symbol -> symbol.putField("string", text));
  }

  @Override
  public void close() throws IOException {
    recording.close();
  }
}
