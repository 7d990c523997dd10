/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import dev.sennit.otlp.export.TlsFiles.NamedFile;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the value of each setting among its sources, in the order in which they win. */
final class SettingsReader {
  private static final String OWN = "sennit.otlp.";
  private static final String OTEL = "otel.exporter.otlp.";

  private final Signal signal;
  private final Function<String, @Nullable String> environment;
  private final Function<String, @Nullable String> properties;
  private final Consumer<String> warnings;

  SettingsReader(
      Signal signal,
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> properties,
      Consumer<String> warnings) {
    this.signal = signal;
    this.environment = environment;
    this.properties = properties;
    this.warnings = warnings;
  }

  /** Whose setting it is and what it is for. */
  private enum Scope {
    OWN,
    SIGNAL,
    GENERAL
  }

  private record Source(Scope scope, String name, String value) {}

  /**
   * What to do with an OpenTelemetry variable that cannot be understood. The specification wants a
   * warning for numbers and for enumerated values, and says nothing of text, where a guess would
   * send data to the wrong place. A setting of ours that cannot be understood is always an error.
   */
  private enum Misunderstood {
    COUNTS_AS_UNSET,
    IS_AN_ERROR
  }

  private interface Parser<T> {
    T parse(Source source);
  }

  ExportSettings read() {
    Protocol protocol =
        find("protocol", Misunderstood.COUNTS_AS_UNSET, s -> protocol(s.value))
            .orElse(Protocol.HTTP_PROTOBUF);
    URI standard = URI.create("http://localhost:" + protocol.defaultPort());
    return new ExportSettings(
        signal,
        protocol,
        find("endpoint", Misunderstood.IS_AN_ERROR, s -> endpoint(s, protocol))
            .orElseGet(() -> protocol == Protocol.GRPC ? standard : withPath(standard)),
        find("headers", Misunderstood.IS_AN_ERROR, s -> SettingValues.headers(s.value))
            .orElse(Map.of()),
        find("compression", Misunderstood.COUNTS_AS_UNSET, s -> compression(s.value))
            .orElse(Compression.NONE),
        find("timeout", Misunderstood.COUNTS_AS_UNSET, s -> timeout(s.value))
            .orElse(ExportSettings.DEFAULT_TIMEOUT),
        tls(),
        own("queue.directory", s -> SettingValues.path(s.value)),
        own("queue.bound", s -> SettingValues.bytes(s.value))
            .orElse(ExportSettings.DEFAULT_QUEUE_BOUND),
        own("max.size", s -> maxSize(s.value)).orElse(protocol.defaultMaxSize()));
  }

  private TlsFiles tls() {
    TlsFiles tls =
        new TlsFiles(file("certificate"), file("client.key"), file("client.certificate"));
    if ((tls.clientKey() == null) != (tls.clientCertificate() == null)) {
      NamedFile alone = tls.clientKey() != null ? tls.clientKey() : tls.clientCertificate();
      throw new IllegalArgumentException(
          alone + " stands alone; a client needs both a key and a certificate");
    }
    return tls;
  }

  private @Nullable NamedFile file(String key) {
    return find(
            key, Misunderstood.IS_AN_ERROR, s -> new NamedFile(s.name, SettingValues.path(s.value)))
        .orElse(null);
  }

  private <T> Optional<T> own(String key, Parser<T> parser) {
    return first(sources(Scope.OWN, OWN + key), Misunderstood.IS_AN_ERROR, parser);
  }

  private <T> Optional<T> find(String key, Misunderstood otherwise, Parser<T> parser) {
    List<Source> sources = new ArrayList<>();
    sources.addAll(sources(Scope.OWN, OWN + key));
    sources.addAll(sources(Scope.SIGNAL, OTEL + signal.settingName() + "." + key));
    sources.addAll(sources(Scope.GENERAL, OTEL + key));
    return first(sources, otherwise, parser);
  }

  /** The property and the variable of that name, where they are set; an empty value is none. */
  private List<Source> sources(Scope scope, String property) {
    List<Source> sources = new ArrayList<>();
    @Nullable String value = properties.apply(property);
    if (value != null && !value.isBlank()) {
      sources.add(new Source(scope, property, value.strip()));
    }
    String variable = property.replace('.', '_').toUpperCase(Locale.ROOT);
    value = environment.apply(variable);
    if (value != null && !value.isBlank()) {
      sources.add(new Source(scope, variable, value.strip()));
    }
    return sources;
  }

  private <T> Optional<T> first(List<Source> sources, Misunderstood otherwise, Parser<T> parser) {
    for (Source source : sources) {
      try {
        return Optional.of(parser.parse(source));
      } catch (IllegalArgumentException e) {
        // Headers hold secrets: their parser says which entry is wrong without showing it.
        boolean secret = source.name.toLowerCase(Locale.ROOT).endsWith("headers");
        String message = source.name + (secret ? " " : "=" + source.value + " ") + e.getMessage();
        if (source.scope == Scope.OWN || otherwise == Misunderstood.IS_AN_ERROR) {
          throw new IllegalArgumentException(message, e);
        }
        warnings.accept(message + "; ignored");
      }
    }
    return Optional.empty();
  }

  /** OTLP exporter specification, "Endpoint URLs for OTLP/HTTP". */
  private URI endpoint(Source source, Protocol protocol) {
    URI uri = SettingValues.url(source.value);
    if (protocol == Protocol.GRPC) {
      return uri;
    }
    return switch (source.scope) {
      case SIGNAL -> uri;
      case GENERAL -> withPath(uri);
      case OWN -> uri.getRawPath().endsWith("/" + signal.httpPath()) ? uri : withPath(uri);
    };
  }

  private URI withPath(URI base) {
    String path = base.getRawPath();
    return base.resolve(
        (path.endsWith("/") ? path : path + "/")
            + signal.httpPath()
            + (base.getRawQuery() == null ? "" : "?" + base.getRawQuery()));
  }

  private static Protocol protocol(String value) {
    for (Protocol protocol : Protocol.values()) {
      if (protocol.settingValue().equals(value)) {
        return protocol;
      }
    }
    throw new IllegalArgumentException("is not a protocol; use grpc or http/protobuf");
  }

  private static Compression compression(String value) {
    for (Compression compression : Compression.values()) {
      if (compression.settingValue().equals(value)) {
        return compression;
      }
    }
    throw new IllegalArgumentException("is not a compression; use gzip or none");
  }

  private static long maxSize(String value) {
    long size = SettingValues.bytes(value);
    if (size < ExportSettings.SMALLEST_MAX_SIZE || size > Exporter.MAX_MESSAGE) {
      throw new IllegalArgumentException("is not between 16KiB and 64MiB");
    }
    return size;
  }

  private static Duration timeout(String value) {
    Duration timeout = SettingValues.duration(value);
    if (timeout.isZero() || timeout.compareTo(ExportSettings.LONGEST_TIMEOUT) > 0) {
      throw new IllegalArgumentException("is not between 1ms and 1h");
    }
    return timeout;
  }
}
