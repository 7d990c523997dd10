/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.configuration.Configuration;
import dev.sennit.cli.configuration.Keys;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where telemetry goes: the options of a command, which win over its configuration. */
final class OtlpOptions {
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

  Configuration over(Configuration configuration) {
    Configuration result = configuration;
    if (endpoint != null) {
      result = result.with(Keys.EXPORT_ENDPOINT, endpoint, "--otlp");
    }
    if (protocol != null) {
      result = result.with(Keys.EXPORT_PROTOCOL, protocol, "--otlp-protocol");
    }
    return result;
  }
}
