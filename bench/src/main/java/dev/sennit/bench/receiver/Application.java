/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.receiver;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.logs.OtlpHttpLogRecordExporter;
import io.opentelemetry.exporter.otlp.trace.OtlpGrpcSpanExporter;
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.export.BatchLogRecordProcessor;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One application with an SDK of its own, which writes a span and a log record for each request.
 */
final class Application implements AutoCloseable {
  /** So much as comes in some seconds: a pause of the machine is not to be a loss of the SDK. */
  private static final int QUEUE = 1 << 17;

  private static final Duration DELAY = Duration.ofMillis(200);
  private static final AttributeKey<Long> NUMBER = AttributeKey.longKey(CountingReceiver.NUMBER);

  private final SdkTracerProvider spans;
  private final SdkLoggerProvider lines;
  private final Tracer tracer;
  private final Logger logger;

  Application(String http, String grpc) {
    spans =
        SdkTracerProvider.builder()
            .addSpanProcessor(
                BatchSpanProcessor.builder(OtlpGrpcSpanExporter.builder().setEndpoint(grpc).build())
                    .setMaxQueueSize(QUEUE)
                    .setScheduleDelay(DELAY)
                    .build())
            .build();
    lines =
        SdkLoggerProvider.builder()
            .addLogRecordProcessor(
                BatchLogRecordProcessor.builder(
                        OtlpHttpLogRecordExporter.builder().setEndpoint(http + "/v1/logs").build())
                    .setMaxQueueSize(QUEUE)
                    .setScheduleDelay(DELAY)
                    .build())
            .build();
    tracer = spans.get("bench");
    logger = lines.get("bench");
  }

  void request(long number) {
    tracer
        .spanBuilder("GET /products/{id}")
        .setAttribute(NUMBER, number)
        .setAttribute("http.request.method", "GET")
        .setAttribute("http.route", "/products/{id}")
        .setAttribute("http.response.status_code", 200L)
        .setAttribute("server.address", "shop.internal")
        .startSpan()
        .end();
    logger
        .logRecordBuilder()
        .setSeverity(Severity.INFO)
        .setAttribute(NUMBER, number)
        .setBody("product " + number + " was looked at by somebody who did not buy it")
        .emit();
  }

  /** Waits until everything is sent. */
  @Override
  public void close() {
    var _ = spans.shutdown().join(1, TimeUnit.MINUTES);
    var _ = lines.shutdown().join(1, TimeUnit.MINUTES);
  }
}
