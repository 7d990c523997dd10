/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.otlp.export.ExportSettings;
import dev.sennit.otlp.export.Signal;
import java.net.URI;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where telemetry goes: the options of a command, and behind them the usual variables. */
final class OtlpOptions {
  private static final int GRPC_PORT = 4317;

  @Option(
      names = "--otlp",
      paramLabel = "URL",
      description =
          "The collector to which spans go, for example http://localhost:4318. Default:"
              + " OTEL_EXPORTER_OTLP_ENDPOINT; without it spans are only counted.")
  private @Nullable String endpoint;

  @Option(
      names = "--otlp-protocol",
      paramLabel = "P",
      description =
          "grpc or http/protobuf. Default: OTEL_EXPORTER_OTLP_PROTOCOL, else grpc for port 4317"
              + " and http/protobuf for any other.")
  private @Nullable String protocol;

  Optional<ExportSettings> read(Signal signal, Consumer<String> warnings) {
    Function<String, @Nullable String> environment = System::getenv;
    if (endpoint == null
        && environment.apply("OTEL_EXPORTER_OTLP_ENDPOINT") == null
        && environment.apply("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == null
        && environment.apply("SENNIT_OTLP_ENDPOINT") == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(ExportSettings.read(signal, environment, this::property, warnings));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.wrongInput(String.valueOf(e.getMessage()));
    }
  }

  private @Nullable String property(String name) {
    return switch (name) {
      case "sennit.otlp.endpoint" -> endpoint;
      case "sennit.otlp.protocol" -> protocol != null || endpoint == null ? protocol : guess();
      default -> System.getProperty(name);
    };
  }

  /** Only where nobody has said it. */
  private @Nullable String guess() {
    if (System.getenv("OTEL_EXPORTER_OTLP_PROTOCOL") != null
        || System.getenv("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") != null) {
      return null;
    }
    try {
      return URI.create(endpoint == null ? "" : endpoint).getPort() == GRPC_PORT ? "grpc" : null;
    } catch (IllegalArgumentException e) {
      // What is wrong with it is said when it is read.
      return null;
    }
  }
}
