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
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
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

  private static final String SERVICE = "service.name";
  private static final String OTEL_SERVICE = "otel.service.name";
  private static final String OTEL_ATTRIBUTES = "otel.resource.attributes";

  private static final String DATADOG_SERVICE = "dd.service";
  private static final String DATADOG_ENVIRONMENT = "dd.env";
  private static final String DATADOG_VERSION = "dd.version";

  private static final Set<String> SETTINGS =
      Set.of(OTEL_SERVICE, OTEL_ATTRIBUTES, DATADOG_SERVICE, DATADOG_ENVIRONMENT, DATADOG_VERSION);

  private final Map<String, AttributeValue> runtime = new LinkedHashMap<>();
  private final Map<String, String> properties = new HashMap<>();

  /** Variables of the environment, by the names of the properties that win over them. */
  private final Map<String, String> variables = new HashMap<>();

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
        chunk,
        visitors,
        "jdk.InitialSystemProperty",
        event -> setting(event, properties, key -> key),
        "key",
        "value");
    RecordingFacts.subscribe(
        chunk,
        visitors,
        "jdk.InitialEnvironmentVariable",
        event -> setting(event, variables, JvmFacts::propertyOf),
        "key",
        "value");
  }

  /** Adds what a later chunk says. */
  void addAll(JvmFacts later) {
    runtime.putAll(later.runtime);
    properties.putAll(later.properties);
    variables.putAll(later.variables);
    identity = later.identity.isEmpty() ? identity : later.identity;
  }

  /**
   * Runtime, process id, and what the settings of OpenTelemetry say of the service, or those of
   * Datadog where these are silent. As in OpenTelemetry's SDK, a property wins over its variable,
   * and the name of the service over the one among the attributes.
   */
  Map<String, AttributeValue> attributes() {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>(runtime);
    put(attributes, SERVICE, setting(DATADOG_SERVICE));
    put(attributes, "service.version", setting(DATADOG_VERSION));
    put(attributes, "deployment.environment.name", setting(DATADOG_ENVIRONMENT));
    resourceAttributes(setting(OTEL_ATTRIBUTES))
        .forEach((key, value) -> put(attributes, key, value));
    put(attributes, SERVICE, setting(OTEL_SERVICE));
    return attributes;
  }

  private static void put(Map<String, AttributeValue> attributes, String key, String value) {
    if (!value.isBlank()) {
      attributes.put(key, AttributeValue.of(value));
    }
  }

  private String setting(String name) {
    return properties.getOrDefault(name, variables.getOrDefault(name, ""));
  }

  /**
   * {@code key=value} with commas between, both percent-encoded; nothing if that is broken, for
   * then the specification of OpenTelemetry's resource discards it as a whole.
   */
  private static Map<String, String> resourceAttributes(String text) {
    Map<String, String> attributes = new TreeMap<>();
    try {
      for (String pair : text.split(",", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          attributes.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
        } else if (!pair.isBlank()) {
          return Map.of();
        }
      }
    } catch (IllegalArgumentException e) {
      return Map.of();
    }
    return attributes;
  }

  /** Unlike in a form, a plus is a plus. */
  private static String decoded(String text) {
    return URLDecoder.decode(text.strip().replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /** Process id and start; empty if the recording does not tell. */
  String identity() {
    return identity;
  }

  private void information(EventLayout event) throws IOException {
    @Nullable String name = event.text(0);
    @Nullable String version = event.text(1);
    if (name != null && !name.isEmpty()) {
      runtime.put("process.runtime.name", AttributeValue.of(name));
    }
    if (version != null && !version.isEmpty()) {
      Matcher matcher = VERSION.matcher(version);
      if (matcher.find()) {
        @Nullable String inText = matcher.group(1);
        runtime.put(
            "process.runtime.version", AttributeValue.of(inText != null ? inText : version));
      }
      runtime.put("process.runtime.description", AttributeValue.of(version));
    }
    if (event.longValue(2) > 0) {
      runtime.put("process.pid", AttributeValue.of(event.longValue(2)));
      if (event.longValue(3) > 0) {
        identity = event.longValue(2) + "@" + event.longValue(3);
      }
    }
  }

  private static void setting(
      EventLayout event, Map<String, String> target, UnaryOperator<String> nameOf)
      throws IOException {
    @Nullable String key = event.text(0);
    @Nullable String value = event.text(1);
    if (key == null || value == null || value.isBlank()) {
      return;
    }
    String name = nameOf.apply(key);
    if (SETTINGS.contains(name)) {
      target.put(name, value);
    }
  }

  /** {@code OTEL_SERVICE_NAME} stands for {@code otel.service.name}. */
  private static String propertyOf(String variable) {
    boolean isUpper = variable.equals(variable.toUpperCase(Locale.ROOT));
    return isUpper ? variable.toLowerCase(Locale.ROOT).replace('_', '.') : "";
  }
}
