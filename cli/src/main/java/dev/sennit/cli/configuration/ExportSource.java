/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Signal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where telemetry goes: what the file says, and behind it the usual properties and variables. What
 * these cannot mean is said of the place where it stands.
 */
public final class ExportSource {
  private static final int GRPC_PORT = 4317;
  private static final String OWN = "sennit.otlp.";

  /** By the names that {@link ExportSettings} knows them by. */
  private static final Map<String, Key<?>> SETTINGS =
      Map.ofEntries(
          Map.entry("endpoint", Keys.EXPORT_ENDPOINT),
          Map.entry("protocol", Keys.EXPORT_PROTOCOL),
          Map.entry("headers", Keys.EXPORT_HEADERS),
          Map.entry("compression", Keys.EXPORT_COMPRESSION),
          Map.entry("timeout", Keys.EXPORT_TIMEOUT),
          Map.entry("certificate", Keys.EXPORT_CERTIFICATE),
          Map.entry("client.key", Keys.EXPORT_CLIENT_KEY),
          Map.entry("client.certificate", Keys.EXPORT_CLIENT_CERTIFICATE),
          Map.entry("queue.directory", Keys.QUEUE_DIRECTORY),
          Map.entry("queue.bound", Keys.QUEUE_BOUND));

  private final Configuration configuration;
  private final Signal signal;
  private final Function<String, @Nullable String> environment;

  private ExportSource(
      Configuration configuration, Signal signal, Function<String, @Nullable String> environment) {
    this.configuration = configuration;
    this.signal = signal;
    this.environment = environment;
  }

  /**
   * The settings of a signal, or nothing if nobody has named a collector.
   *
   * @param environment a variable by its name; null if unset
   * @param warnings takes lines for people
   */
  public static Optional<ExportSettings> read(
      Configuration configuration,
      Signal signal,
      Function<String, @Nullable String> environment,
      Consumer<String> warnings)
      throws ConfigurationException {
    return new ExportSource(configuration, signal, environment).read(warnings);
  }

  private Optional<ExportSettings> read(Consumer<String> warnings) throws ConfigurationException {
    if (!configuration.isSet(Keys.EXPORT_ENDPOINT)
        && !isSet("SENNIT_OTLP_ENDPOINT")
        && !isSet("OTEL_EXPORTER_OTLP_ENDPOINT")
        && !isSet(variable("ENDPOINT"))) {
      return Optional.empty();
    }
    try {
      return Optional.of(ExportSettings.read(signal, environment, this::property, warnings));
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(explain(configuration, e));
    }
  }

  /** Says of a setting that cannot be used where it stands, if it stands in the file. */
  public static String explain(Configuration configuration, Exception failure) {
    String message = String.valueOf(failure.getMessage());
    for (Map.Entry<String, Key<?>> each : SETTINGS.entrySet()) {
      String name = OWN + each.getKey();
      if (configuration.isSet(each.getValue())
          && (message.startsWith(name + "=") || message.startsWith(name + " "))) {
        return configuration.place(each.getValue()) + ": " + message.substring(name.length() + 1);
      }
    }
    Optional<String> directory = configuration.find(Keys.QUEUE_DIRECTORY);
    return directory.isPresent() && message.contains(directory.get())
        ? configuration.place(Keys.QUEUE_DIRECTORY) + ": " + message
        : message;
  }

  private @Nullable String property(String name) {
    Key<?> key = name.startsWith(OWN) ? SETTINGS.get(name.substring(OWN.length())) : null;
    String value = key == null ? null : text(key);
    if (value == null && Keys.EXPORT_PROTOCOL.equals(key)) {
      value = guessedProtocol();
    }
    return value != null ? value : System.getProperty(name);
  }

  private <T> @Nullable String text(Key<T> key) {
    if (key.equals(Keys.EXPORT_HEADERS)) {
      return configuration.find(Keys.EXPORT_HEADERS).map(ExportSource::encode).orElse(null);
    }
    // As it is, without the quotes that a file may need.
    return configuration
        .find(key)
        .map(value -> value instanceof String text ? text : key.type().print(value))
        .orElse(null);
  }

  /** Only where nobody has said it. */
  private @Nullable String guessedProtocol() {
    if (isSet("OTEL_EXPORTER_OTLP_PROTOCOL") || isSet(variable("PROTOCOL"))) {
      return null;
    }
    try {
      return configuration
          .find(Keys.EXPORT_ENDPOINT)
          .map(URI::create)
          .filter(endpoint -> endpoint.getPort() == GRPC_PORT)
          .map(endpoint -> "grpc")
          .orElse(null);
    } catch (IllegalArgumentException e) {
      // What is wrong with it is said when it is read.
      return null;
    }
  }

  private String variable(String name) {
    return "OTEL_EXPORTER_OTLP_" + signal.settingName().toUpperCase(Locale.ROOT) + "_" + name;
  }

  private boolean isSet(String variable) {
    String value = environment.apply(variable);
    return value != null && !value.isBlank();
  }

  /** The form of the variable: values percent-encoded, commas between. */
  private static String encode(Map<String, String> headers) {
    return headers.entrySet().stream()
        .map(each -> each.getKey() + "=" + encode(each.getValue()))
        .collect(Collectors.joining(","));
  }

  private static String encode(String value) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (each & 0xff);
      if (character < 0x80 && Character.isLetterOrDigit(character)) {
        encoded.append(character);
      } else {
        encoded.append(String.format(Locale.ROOT, "%%%02X", (int) character));
      }
    }
    return encoded.toString();
  }
}
