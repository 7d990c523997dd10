/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.EventLayout;
import dev.sennit.profiles.jfr.EventVisitor;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The JVM that was recorded, as it says itself: attributes of the resource, and an identity by
 * which several recordings of one JVM are known.
 */
final class JvmFacts {
  /** HotSpot's own text has the version in the middle, async-profiler has the version alone. */
  private static final Pattern VERSION = Pattern.compile("JRE \\(([^)]+)\\)|^(\\d\\S*)$");

  private final Map<String, AttributeValue> attributes = new LinkedHashMap<>();
  private String identity = "";

  void subscribe(ChunkReader chunk, Map<EventLayout, EventVisitor> visitors) throws IOException {
    RecordingFacts.subscribe(
        chunk,
        visitors,
        "jdk.JVMInformation",
        this::information,
        "jvmName",
        "jvmVersion",
        "pid",
        "jvmStartTime");
    RecordingFacts.subscribe(
        chunk, visitors, "jdk.InitialSystemProperty", this::property, "key", "value");
    RecordingFacts.subscribe(
        chunk, visitors, "jdk.InitialEnvironmentVariable", this::property, "key", "value");
  }

  /** Adds what a later chunk says. */
  void addAll(JvmFacts later) {
    attributes.putAll(later.attributes);
    identity = later.identity.isEmpty() ? identity : later.identity;
  }

  /** Runtime, process id, and the service where its OpenTelemetry settings name it. */
  Map<String, AttributeValue> attributes() {
    return attributes;
  }

  /** Process id and start; empty if the recording does not tell. */
  String identity() {
    return identity;
  }

  private void information(EventLayout event) throws IOException {
    @Nullable String name = event.text(0);
    @Nullable String version = event.text(1);
    if (name != null && !name.isEmpty()) {
      attributes.put("process.runtime.name", AttributeValue.of(name));
    }
    if (version != null && !version.isEmpty()) {
      Matcher matcher = VERSION.matcher(version);
      if (matcher.find()) {
        @Nullable String inText = matcher.group(1);
        attributes.put(
            "process.runtime.version", AttributeValue.of(inText != null ? inText : version));
      }
      attributes.put("process.runtime.description", AttributeValue.of(version));
    }
    if (event.longValue(2) > 0) {
      attributes.put("process.pid", AttributeValue.of(event.longValue(2)));
      if (event.longValue(3) > 0) {
        identity = event.longValue(2) + "@" + event.longValue(3);
      }
    }
  }

  /** The system property wins over the variable, as it does in OpenTelemetry's SDK. */
  private void property(EventLayout event) throws IOException {
    @Nullable String key = event.text(0);
    @Nullable String value = event.text(1);
    if (key == null || value == null || value.isBlank()) {
      return;
    }
    switch (key) {
      case "otel.service.name" -> attributes.put("service.name", AttributeValue.of(value));
      case "OTEL_SERVICE_NAME" -> attributes.putIfAbsent("service.name", AttributeValue.of(value));
      default -> {}
    }
  }
}
