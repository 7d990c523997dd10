/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;

/**
 * An application in a span that logs each line it reads, and ends its SDK at the line {@code
 * close}. Argument: {@code sdk} if it has one of its own; else it has an agent's.
 */
final class LoggingApplication {
  private LoggingApplication() {}

  public static void main(String[] arguments) {
    OpenTelemetry telemetry = arguments[0].equals("sdk") ? Own.start() : GlobalOpenTelemetry.get();
    Span span = telemetry.getTracer("test").spanBuilder("one").startSpan();
    try (Scope _ = span.makeCurrent();
        Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8)) {
      System.out.println("span " + span.getSpanContext().getSpanId());
      while (lines.hasNextLine()) {
        String line = lines.nextLine();
        if (line.equals("close")) {
          Own.close(telemetry);
          System.out.println("closed");
        } else {
          telemetry.getLogsBridge().get("test").logRecordBuilder().setBody(line).emit();
        }
      }
    }
    span.end();
  }

  /** Apart, for with an agent there are no classes of the SDK. */
  private static final class Own {
    static OpenTelemetry start() {
      return AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    }

    static void close(OpenTelemetry telemetry) {
      ((OpenTelemetrySdk) telemetry).close();
    }
  }
}
