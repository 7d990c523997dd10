/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import dev.sennit.context.ContextLog;
import dev.sennit.context.process.MalformedContextException;
import dev.sennit.context.shared.LogDestination;
import dev.sennit.context.shared.SharedLogs;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Offers the SDK's exporter of logs to Sennit's agent, so that what the agent has to send goes over
 * the same connection. The exporter is remembered and not wrapped: the SDK's own use of it stays as
 * it was.
 */
final class LentLogExporter {
  /** OTLP's exporters by gRPC and HTTP; no others speak to a collector. */
  private static final String GRPC_EXPORTER = "OtlpGrpcLogRecordExporter";

  private static final String HTTP_EXPORTER = "OtlpHttpLogRecordExporter";

  private static final String PREFIX = "otel.exporter.otlp.";
  private static final String LOGS = PREFIX + "logs.";

  private final LogRecordExporter exporter;

  private LentLogExporter(LogRecordExporter exporter) {
    this.exporter = exporter;
  }

  /**
   * Offers an exporter if it is one of OTLP. Never throws.
   *
   * @return the exporter as it is
   */
  static LogRecordExporter offer(LogRecordExporter exporter, ConfigProperties properties) {
    try {
      @Nullable LogDestination destination =
          destination(exporter.getClass().getSimpleName(), properties);
      if (destination != null && namesEvents()) {
        SharedLogs.offer(destination, new LentLogExporter(exporter)::export);
      }
    } catch (RuntimeException e) {
      ContextLog.warn("the SDK's exporter of logs is not used for call stacks: " + e.getMessage());
    }
    return exporter;
  }

  /** Where an exporter of this class sends to, by the rules of OpenTelemetry's settings. */
  static @Nullable LogDestination destination(String exporter, ConfigProperties properties) {
    return switch (exporter) {
      case GRPC_EXPORTER ->
          new LogDestination(
              LogDestination.GRPC,
              URI.create(
                  setting(
                      properties,
                      "endpoint",
                      properties.getString(PREFIX + "endpoint", "http://localhost:4317"))),
              headers(properties));
      case HTTP_EXPORTER ->
          new LogDestination(
              "http/protobuf",
              URI.create(setting(properties, "endpoint", logsPath(properties))),
              headers(properties));
      default -> null;
    };
  }

  private static String setting(ConfigProperties properties, String key, String otherwise) {
    return properties.getString(LOGS + key, otherwise);
  }

  private static String logsPath(ConfigProperties properties) {
    String base = properties.getString(PREFIX + "endpoint", "http://localhost:4318");
    return base + (base.endsWith("/") ? "" : "/") + "v1/logs";
  }

  private static Map<String, String> headers(ConfigProperties properties) {
    Map<String, String> encoded = properties.getMap(LOGS + "headers");
    if (encoded.isEmpty()) {
      encoded = properties.getMap(PREFIX + "headers");
    }
    Map<String, String> headers = new LinkedHashMap<>();
    encoded.forEach(
        (name, value) -> headers.put(name, URLDecoder.decode(value, StandardCharsets.UTF_8)));
    return headers;
  }

  /** An SDK from before 2025 would leave the names of events out. */
  private static boolean namesEvents() {
    try {
      LogRecordData.class.getMethod("getEventName");
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private @Nullable Future<Boolean> export(byte[] request) {
    List<LogRecordData> records;
    try {
      records = LogRequest.read(request);
    } catch (MalformedContextException | IllegalArgumentException e) {
      return null;
    }
    CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    try {
      CompletableResultCode result = exporter.export(records);
      result.whenComplete(() -> outcome.complete(result.isSuccess()));
    } catch (RuntimeException e) {
      outcome.complete(false);
    }
    return outcome;
  }
}
