/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Protocol;
import dev.sennit.otlp.export.Signal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the variables {@code SPLUNK_PROFILER_*}, and the properties {@code splunk.profiler.*} before
 * them, say of call stacks.
 *
 * @param excludedThreads patterns of names, where {@code *} stands for any text and {@code ?} for
 *     one character
 * @param throughSdk whether an SDK's exporter to the same place may be used
 */
record CallStackSettings(
    Duration interval,
    boolean includeJvmThreads,
    boolean includeAgentThreads,
    List<String> excludedThreads,
    boolean parkedVirtualThreads,
    DataFormat format,
    boolean throughSdk,
    ExportSettings export) {

  private static final String PREFIX = "splunk.profiler.";
  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);
  private static final Duration LONGEST_INTERVAL = Duration.ofDays(1);
  private static final String DEFAULT_ENDPOINT = "http://localhost:4317";
  private static final String DEFAULT_HTTP_ENDPOINT = "http://localhost:4318";

  /** How stacks are written into the bodies of records. */
  enum DataFormat {
    TEXT("text"),
    PPROF("pprof-gzip-base64");

    private final String settingValue;

    DataFormat(String settingValue) {
      this.settingValue = settingValue;
    }

    String settingValue() {
      return settingValue;
    }
  }

  CallStackSettings {
    excludedThreads = List.copyOf(excludedThreads);
  }

  /**
   * Reads the settings.
   *
   * @throws IllegalArgumentException naming the setting, its value, and what it may be
   */
  static CallStackSettings read(
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> properties,
      Consumer<String> warnings) {
    Reader reader = new Reader(environment, properties);
    boolean all = reader.flag("include.internal.stacks", false);
    return new CallStackSettings(
        reader.interval(),
        reader.flag("include.jvm.internals", all),
        reader.flag("include.agent.internals", all),
        reader.list("excluded.threads"),
        reader.choice("virtual.threads", "mounted", "mounted", "all").equals("all"),
        reader
                .choice(
                    "data.format",
                    DataFormat.TEXT.settingValue,
                    DataFormat.TEXT.settingValue,
                    DataFormat.PPROF.settingValue)
                .equals(DataFormat.TEXT.settingValue)
            ? DataFormat.TEXT
            : DataFormat.PPROF,
        reader.flag("sdk.exporter", true),
        reader.export(warnings));
  }

  /** Finds values by the names of both worlds. */
  private record Reader(
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> properties) {

    /** A setting as it was found. */
    private record Found(String name, String value) {
      IllegalArgumentException isNot(String what) {
        return new IllegalArgumentException(name + "=" + value + " is not " + what);
      }
    }

    private @Nullable Found find(String property) {
      @Nullable String value = properties.apply(property);
      if (value != null && !value.isBlank()) {
        return new Found(property, value.strip());
      }
      String variable = property.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
      value = environment.apply(variable);
      return value == null || value.isBlank() ? null : new Found(variable, value.strip());
    }

    boolean flag(String key, boolean otherwise) {
      Found found = find(PREFIX + key);
      if (found == null) {
        return otherwise;
      }
      return switch (found.value.toLowerCase(Locale.ROOT)) {
        case "true" -> true;
        case "false" -> false;
        default -> throw found.isNot("true or false");
      };
    }

    Duration interval() {
      Found found = find(PREFIX + "call.stack.interval");
      if (found == null) {
        return DEFAULT_INTERVAL;
      }
      String digits = found.value.endsWith("ms") ? dropLast2(found.value) : found.value;
      try {
        Duration interval = Duration.ofMillis(Long.parseLong(digits));
        if (interval.isPositive() && interval.compareTo(LONGEST_INTERVAL) <= 0) {
          return interval;
        }
      } catch (NumberFormatException e) {
        // Said below.
      }
      throw found.isNot("a number of milliseconds from 1 to " + LONGEST_INTERVAL.toMillis());
    }

    private static String dropLast2(String text) {
      return text.substring(0, text.length() - 2).strip();
    }

    List<String> list(String key) {
      Found found = find(PREFIX + key);
      List<String> entries = new ArrayList<>();
      if (found != null) {
        for (String entry : found.value.split(",", -1)) {
          if (!entry.isBlank()) {
            entries.add(entry.strip());
          }
        }
      }
      return entries;
    }

    String choice(String key, String otherwise, String... choices) {
      Found found = find(PREFIX + key);
      if (found == null) {
        return otherwise;
      }
      String value = found.value.toLowerCase(Locale.ROOT);
      if (!List.of(choices).contains(value)) {
        throw found.isNot("one of " + String.join(", ", choices));
      }
      return value;
    }

    /**
     * Headers, certificates and the like are those of OpenTelemetry's exporter of logs. The
     * endpoint and the protocol are these conventions' own, so what is set for Sennit's profiles or
     * for OpenTelemetry's logs does not move them.
     */
    ExportSettings export(Consumer<String> warnings) {
      boolean http =
          choice("otlp.protocol", "grpc", "grpc", "http/protobuf").equals("http/protobuf");
      Found endpoint = find(PREFIX + "logs-endpoint");
      if (endpoint == null) {
        endpoint = find(PREFIX + "logs.endpoint");
      }
      if (endpoint == null) {
        endpoint = find("otel.exporter.otlp.endpoint");
      }
      if (endpoint == null) {
        endpoint = new Found("", http ? DEFAULT_HTTP_ENDPOINT : DEFAULT_ENDPOINT);
      }
      URI uri = address(endpoint, http);
      ExportSettings general =
          ExportSettings.read(
              Signal.LOGS,
              name -> decided(name) ? null : environment.apply(name),
              name -> decided(name) ? null : properties.apply(name),
              warnings);
      return new ExportSettings(
          Signal.LOGS,
          http ? Protocol.HTTP_PROTOBUF : Protocol.GRPC,
          uri,
          general.headers(),
          general.compression(),
          general.timeout(),
          general.tls(),
          general.queueDirectory(),
          general.queueBound());
    }

    private static boolean decided(String name) {
      String key = name.toLowerCase(Locale.ROOT);
      return key.endsWith("endpoint") || key.endsWith("protocol");
    }

    /** Checked by the reader that all exporters use, so that one rule holds for URLs. */
    private static URI address(Found endpoint, boolean http) {
      try {
        return ExportSettings.read(
                Signal.LOGS,
                name ->
                    switch (name) {
                      case "SENNIT_OTLP_ENDPOINT" -> endpoint.value;
                      case "SENNIT_OTLP_PROTOCOL" -> http ? "http/protobuf" : "grpc";
                      default -> null;
                    },
                name -> null,
                warning -> {})
            .endpoint();
      } catch (IllegalArgumentException e) {
        throw endpoint.isNot("a URL such as " + DEFAULT_ENDPOINT);
      }
    }
  }
}
