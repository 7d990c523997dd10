/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.callstack.ThreadDump.Entry;
import dev.sennit.otlp.ProtobufEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * A dump as pprof's {@code profile.proto}, compressed and in base 64, with the labels that Splunk's
 * backends read. Its samples have no value: a sample is a thread seen once.
 */
final class PprofBody {
  /** Fields of the messages of {@code profile.proto}. */
  private static final class Field {
    static final int SAMPLE = 2;
    static final int LOCATION = 4;
    static final int FUNCTION = 5;
    static final int STRING_TABLE = 6;
    static final int TIME_NANOS = 9;
    static final int SAMPLE_LOCATION = 1;
    static final int SAMPLE_LABEL = 3;
    static final int LABEL_KEY = 1;
    static final int LABEL_STRING = 2;
    static final int LABEL_NUMBER = 3;
    static final int LABEL_UNIT = 4;
    static final int LOCATION_LINE = 4;
  }

  /** A method, whatever line it is at. */
  private record Function(String name, String file) {}

  private record Location(Function function, int line) {}

  private final ProtobufEncoder encoder = new ProtobufEncoder(1 << 14);
  private final Map<String, Integer> strings = new LinkedHashMap<>();
  private final Map<Function, Integer> functions = new LinkedHashMap<>();
  private final Map<Location, Integer> locations = new LinkedHashMap<>();

  private PprofBody() {
    string("");
  }

  static String of(ThreadDump dump, long periodMillis) {
    PprofBody body = new PprofBody();
    for (Entry entry : dump.stacks()) {
      body.sample(dump, entry, periodMillis);
    }
    body.tables();
    body.encoder.writeVarintField(Field.TIME_NANOS, dump.unixNanos());
    return body.compressed();
  }

  private void sample(ThreadDump dump, Entry entry, long periodMillis) {
    ThreadStack thread = entry.thread();
    int sample = encoder.beginMessage(Field.SAMPLE);
    long[] ids = new long[thread.frames().size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = location(thread.frames().get(i));
    }
    encoder.writePackedVarintField(Field.SAMPLE_LOCATION, ids, 0, ids.length);
    label("source.event.time", dump.unixNanos() / 1_000_000, "milliseconds");
    label("source.event.period", periodMillis, "milliseconds");
    label("source.event.name", "ThreadDump");
    label("thread.id", thread.number(), "");
    label("thread.name", thread.name());
    label("thread.os.id", thread.nid(), "");
    label("thread.state", thread.state());
    if (dump.isCut(thread)) {
      label("thread.stack.truncated", "true");
    }
    SpanIds span = entry.span();
    if (span.isSpan()) {
      HexFormat hex = HexFormat.of();
      label("trace_id", hex.toHexDigits(span.traceIdHigh()) + hex.toHexDigits(span.traceIdLow()));
      label("span_id", hex.toHexDigits(span.spanId()));
    }
    encoder.endMessage(sample);
  }

  private void label(String key, String value) {
    int label = encoder.beginMessage(Field.SAMPLE_LABEL);
    encoder.writeVarintField(Field.LABEL_KEY, string(key));
    encoder.writeVarintField(Field.LABEL_STRING, string(value));
    encoder.endMessage(label);
  }

  private void label(String key, long value, String unit) {
    int label = encoder.beginMessage(Field.SAMPLE_LABEL);
    encoder.writeVarintField(Field.LABEL_KEY, string(key));
    encoder.writeVarintField(Field.LABEL_NUMBER, value);
    encoder.writeVarintField(Field.LABEL_UNIT, string(unit));
    encoder.endMessage(label);
  }

  private void tables() {
    locations.forEach(
        (location, id) -> {
          int message = encoder.beginMessage(Field.LOCATION);
          encoder.writeVarintField(1, id);
          int line = encoder.beginMessage(Field.LOCATION_LINE);
          encoder.writeVarintField(1, id(functions, location.function));
          encoder.writeVarintField(2, location.line);
          encoder.endMessage(line);
          encoder.endMessage(message);
        });
    functions.forEach(
        (function, id) -> {
          int message = encoder.beginMessage(Field.FUNCTION);
          encoder.writeVarintField(1, id);
          encoder.writeVarintField(2, string(function.name));
          encoder.writeVarintField(3, string(function.name));
          encoder.writeVarintField(4, string(function.file));
          encoder.endMessage(message);
        });
    List<String> table = new ArrayList<>(strings.keySet());
    table.forEach(text -> encoder.writeString(Field.STRING_TABLE, text));
  }

  private int location(StackFrame frame) {
    Function function = new Function(frame.namespace() + "." + frame.function(), frame.file());
    id(functions, function);
    return id(locations, new Location(function, frame.line()));
  }

  private int string(String text) {
    return id(strings, text) - 1;
  }

  private static <K> int id(Map<K, Integer> table, K key) {
    return table.computeIfAbsent(key, k -> table.size() + 1);
  }

  private String compressed() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      encoder.writeTo(gzip);
    } catch (IOException e) {
      throw new UncheckedIOException("compressing in memory", e);
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }
}
