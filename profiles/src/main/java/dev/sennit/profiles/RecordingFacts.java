/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.EventLayout;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What recordings say of themselves: how often the recorder sampled, which JVM it was, and which
 * span was current on which thread. Collected in a first pass, for an interval may lie in a later
 * chunk than its samples.
 */
final class RecordingFacts {
  private final Map<String, Map<String, String>> settings = new HashMap<>();
  private final SpanIntervals spans = new SpanIntervals();
  private final Map<String, String> jvm = new LinkedHashMap<>();
  private boolean asyncProfiler;

  /** Reads what a chunk has to tell. */
  void add(ChunkReader chunk) throws IOException {
    Map<EventLayout, Handler> handlers = new HashMap<>();
    subscribe(chunk, handlers, "jdk.ActiveSetting", this::setting, "id", "name", "value");
    subscribe(chunk, handlers, "jdk.ActiveRecording", this::recording, "name");
    subscribe(chunk, handlers, "jdk.JVMInformation", this::jvm, "jvmName", "jvmVersion", "pid");
    SpanEvents.subscribe(chunk, spans, handlers);
    if (!handlers.isEmpty()) {
      chunk.forEachEvent(
          event -> {
            Handler handler = handlers.get(event);
            if (handler != null) {
              handler.take(chunk, event);
            }
          });
    }
  }

  /** What to do with an event. */
  @FunctionalInterface
  interface Handler {
    void take(ChunkReader chunk, EventLayout event) throws IOException;
  }

  static void subscribe(
      ChunkReader chunk,
      Map<EventLayout, Handler> handlers,
      String event,
      Handler handler,
      String... fields)
      throws IOException {
    @Nullable EventLayout layout = chunk.subscribe(event, fields);
    if (layout != null) {
      handlers.put(layout, handler);
    }
  }

  /** Ends the collecting. */
  void seal() {
    spans.seal();
  }

  SpanIntervals spans() {
    return spans;
  }

  /**
   * Whether async-profiler made the recording, which gives some of the JDK's events a meaning of
   * its own.
   */
  boolean isAsyncProfiler() {
    return asyncProfiler;
  }

  /** Name, version and pid of the JVM, as resource attributes. */
  Map<String, String> jvm() {
    return jvm;
  }

  /** The sampling period of an event in its unit; 0 if the recording does not tell. */
  long period(String event, String... settingNames) {
    Map<String, String> ofEvent = settings.getOrDefault(event, Map.of());
    for (String name : settingNames) {
      @Nullable String value = ofEvent.get(name);
      long period = value == null ? 0 : SettingValue.parse(value);
      if (period > 0) {
        return period;
      }
    }
    return 0;
  }

  private void setting(ChunkReader chunk, EventLayout event) throws IOException {
    @Nullable String name = event.text(1);
    @Nullable String value = event.text(2);
    @Nullable String of = chunk.types().name(event.longValue(0));
    if (name != null && value != null && of != null) {
      settings.computeIfAbsent(of, key -> new HashMap<>()).put(name, value);
    }
  }

  private void recording(ChunkReader chunk, EventLayout event) throws IOException {
    @Nullable String name = event.text(0);
    if (name != null && name.startsWith("async-profiler")) {
      asyncProfiler = true;
    }
  }

  private void jvm(ChunkReader chunk, EventLayout event) throws IOException {
    put("process.runtime.name", event.text(0));
    put("process.runtime.description", event.text(1));
    if (event.has(2)) {
      put("process.pid", Long.toString(event.longValue(2)));
    }
  }

  private void put(String key, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      jvm.put(key, value);
    }
  }
}
