/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording with the JDK's reader and with ours and compares the events, one by one and
 * field by field, in texts that both are put into.
 */
final class JdkComparison {
  private JdkComparison() {}

  /** Asserts that both readers see the same; returns how many events of each type there are. */
  static Map<String, Integer> assertSame(Path recording) throws IOException {
    Map<String, List<String>> expected = jdk(recording);
    Map<String, List<String>> actual = sennit(recording);
    assertThat(counts(actual)).isEqualTo(counts(expected));
    expected.forEach(
        (type, events) -> assertThat(actual.get(type)).as(type).containsExactlyElementsOf(events));
    return counts(actual);
  }

  private static Map<String, Integer> counts(Map<String, List<String>> events) {
    Map<String, Integer> counts = new TreeMap<>();
    events.forEach((type, list) -> counts.put(type, list.size()));
    return counts;
  }

  private static Map<String, List<String>> jdk(Path recording) throws IOException {
    Map<String, List<String>> all = new TreeMap<>();
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        all.computeIfAbsent(event.getEventType().getName(), name -> new ArrayList<>())
            .add(describe(event));
      }
    }
    return all;
  }

  private static String describe(RecordedEvent event) {
    StringBuilder text = new StringBuilder();
    for (ValueDescriptor field : event.getFields()) {
      String name = field.getName();
      Object value =
          name.equals("startTime") || name.equals("duration") ? null : event.getValue(name);
      text.append(name).append('=');
      // The duration is kept as the end by the JDK's reader, and both in nanoseconds.
      if (name.equals("startTime") || name.equals("duration") || field.isArray()) {
        text.append('?');
      } else {
        describe(text, value);
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static void describe(StringBuilder text, @Nullable Object value) {
    switch (value) {
      case null -> text.append("null");
      case Boolean b -> text.append(b ? 1 : 0);
      case Character c -> text.append((int) c);
      case Float f -> text.append((double) f);
      case Double d -> text.append(d);
      case Number n -> text.append(n.longValue());
      case RecordedStackTrace stack -> {
        text.append(stack.isTruncated());
        for (RecordedFrame frame : stack.getFrames()) {
          RecordedMethod method = frame.getMethod();
          text.append("\n  ");
          if (method != null) {
            RecordedClass type = method.getType();
            text.append(type == null ? "null" : type.<String>getValue("name"))
                .append('.')
                .append(method.<String>getValue("name"))
                .append(method.<String>getValue("descriptor"))
                .append(' ')
                .append(method.getModifiers());
          }
          text.append(':').append(frame.<Integer>getValue("lineNumber"));
          text.append('@').append(frame.<Integer>getValue("bytecodeIndex"));
          text.append(' ').append(frame.getType());
        }
      }
      case RecordedThread thread ->
          text.append(thread.<Long>getValue("osThreadId"))
              .append(' ')
              .append(thread.<String>getValue("osName"))
              .append(' ')
              .append(thread.<Long>getValue("javaThreadId"))
              .append(' ')
              .append(thread.<String>getValue("javaName"));
      case RecordedClass type -> text.append(type.<String>getValue("name"));
      case RecordedObject other -> text.append('?');
      case String s -> text.append(s);
      default -> throw new AssertionError(value.getClass());
    }
  }

  private static Map<String, List<String>> sennit(Path recording) throws IOException {
    Map<String, List<String>> all = new TreeMap<>();
    try (JfrFile file = JfrFile.open(recording)) {
      for (JfrChunk chunk : file.chunks()) {
        try (ChunkReader reader = chunk.open()) {
          for (String event : reader.types().names()) {
            JfrType type = reader.jfrTypes().byName(event).getFirst();
            String[] fields =
                type.fields().stream().map(JfrType.Field::name).toArray(String[]::new);
            assertThat(reader.subscribe(event, fields)).isNotNull();
          }
          reader.forEachEvent(
              event ->
                  all.computeIfAbsent(event.eventName(), name -> new ArrayList<>())
                      .add(describe(reader, event)));
        }
      }
      assertThat(file.warnings()).isEmpty();
    }
    return all;
  }

  private static String describe(ChunkReader reader, EventLayout event) throws IOException {
    StringBuilder text = new StringBuilder();
    JfrType type = reader.jfrTypes().byName(event.eventName()).getFirst();
    for (int i = 0; i < event.names().size(); i++) {
      String name = event.names().get(i);
      text.append(name).append('=');
      FieldKind kind = event.kind(i);
      if (name.equals("startTime") || name.equals("duration") || kind == FieldKind.ARRAY) {
        text.append('?');
      } else if (kind == FieldKind.FLOAT || kind == FieldKind.DOUBLE) {
        text.append(event.doubleValue(i));
      } else if (kind == FieldKind.TEXT) {
        text.append(event.text(i));
      } else if (kind == FieldKind.CONSTANT) {
        long id = event.longValue(i);
        JfrType.Field field = requireNonNull(type.field(name));
        JfrType constant = requireNonNull(reader.jfrTypes().byId(field.typeId()));
        describe(reader, text, constant, id, event.text(i));
      } else if (kind == FieldKind.STRUCTURE) {
        text.append('?');
      } else {
        text.append(event.longValue(i));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static void describe(
      ChunkReader reader, StringBuilder text, JfrType type, long id, @Nullable String words)
      throws IOException {
    switch (type.name()) {
      case "jdk.types.StackTrace" -> describeStack(reader, text, id);
      case "java.lang.Thread" -> {
        Threads threads = reader.threads();
        if (!threads.find(id)) {
          text.append("null");
          return;
        }
        text.append(threads.osThreadId()).append(' ').append(threads.osName());
        text.append(' ').append(threads.javaThreadId()).append(' ').append(threads.javaName());
      }
      case "java.lang.Class" -> text.append(words);
      default -> {
        boolean found = reader.poolIndex(type.id()).position(id) != PoolIndex.ABSENT;
        // The JDK's reader puts a constant with a single field in place of the field.
        if (!found) {
          text.append("null");
        } else {
          text.append(type.fields().size() == 1 ? words : "?");
        }
      }
    }
  }

  private static void describeStack(ChunkReader reader, StringBuilder text, long id)
      throws IOException {
    StackTraces stacks = reader.stackTraces();
    if (!stacks.find(id)) {
      text.append("null");
      return;
    }
    text.append(stacks.truncated());
    for (int i = 0; i < stacks.depth(); i++) {
      text.append("\n  ");
      Methods methods = reader.methods();
      if (methods.find(stacks.method(stacks.frame(i)))) {
        Classes classes = reader.classes();
        text.append(classes.find(methods.classId()) ? reader.symbol(classes.nameSymbol()) : "null")
            .append('.')
            .append(reader.symbol(methods.nameSymbol()))
            .append(reader.symbol(methods.descriptorSymbol()))
            .append(' ')
            .append(methods.modifiers());
      }
      text.append(':')
          .append(stacks.line(stacks.frame(i)))
          .append('@')
          .append(stacks.bytecodeIndex(stacks.frame(i)));
      text.append(' ').append(reader.frameType(stacks.frameType(stacks.frame(i))));
    }
  }
}
