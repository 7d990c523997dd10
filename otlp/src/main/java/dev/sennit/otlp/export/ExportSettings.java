/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where one signal is sent and how, as the environment and the system properties have it. {@code
 * sennit.otlp.*} wins over {@code otel.exporter.otlp.<signal>.*}, which wins over {@code
 * otel.exporter.otlp.*}; a system property wins over the environment variable of the same name.
 *
 * @param endpoint with the path for HTTP; for gRPC only scheme, host and port count
 * @param headers names in lower case
 * @param timeout for one request, from connecting to the answer
 * @param queueDirectory empty for a place of the user's own
 * @param queueBound bytes that may wait on disk; 0 for no queue at all
 * @param maxSize bytes that one message should have at most, before compression; whoever makes
 *     messages divides them
 */
public record ExportSettings(
    Signal signal,
    Protocol protocol,
    URI endpoint,
    Map<String, String> headers,
    Compression compression,
    Duration timeout,
    TlsFiles tls,
    Optional<Path> queueDirectory,
    long queueBound,
    long maxSize) {

  /** 100 MiB. */
  public static final long DEFAULT_QUEUE_BOUND = 100L << 20;

  /** With less, one stack and the resource may not fit. */
  static final long SMALLEST_MAX_SIZE = 16L << 10;

  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
  static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

  public ExportSettings {
    headers = Map.copyOf(headers);
    if (!timeout.isPositive() || timeout.compareTo(LONGEST_TIMEOUT) > 0 || queueBound < 0) {
      throw new IllegalArgumentException(
          "timeout " + timeout + " is not in (0, 1 h] or queue bound " + queueBound + " negative");
    }
    if (maxSize < SMALLEST_MAX_SIZE || maxSize > Exporter.MAX_MESSAGE) {
      throw new IllegalArgumentException("a message of at most " + maxSize + " bytes");
    }
  }

  /** With messages of the size that the protocol's receivers take unless told otherwise. */
  public ExportSettings(
      Signal signal,
      Protocol protocol,
      URI endpoint,
      Map<String, String> headers,
      Compression compression,
      Duration timeout,
      TlsFiles tls,
      Optional<Path> queueDirectory,
      long queueBound) {
    this(
        signal,
        protocol,
        endpoint,
        headers,
        compression,
        timeout,
        tls,
        queueDirectory,
        queueBound,
        protocol.defaultMaxSize());
  }

  /**
   * Reads the settings of a signal.
   *
   * @param environment a variable by its name, such as {@code System::getenv}; null if unset
   * @param properties a property by its name, such as {@code System::getProperty}; null if unset
   * @param warnings takes a line for each value of OpenTelemetry's variables that is not known and
   *     therefore counts as unset, as its specification demands
   * @throws IllegalArgumentException naming the setting and its value, if that cannot be meant
   */
  public static ExportSettings read(
      Signal signal,
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> properties,
      Consumer<String> warnings) {
    return new SettingsReader(signal, environment, properties, warnings).read();
  }

  /** Without the values of headers, which may be secrets. */
  @Override
  public String toString() {
    return signal.settingName()
        + " to "
        + endpoint
        + " by "
        + protocol.settingValue()
        + ", compression "
        + compression.settingValue()
        + ", timeout "
        + timeout.toMillis()
        + " ms, headers "
        + headers.keySet().stream().sorted().toList();
  }
}
