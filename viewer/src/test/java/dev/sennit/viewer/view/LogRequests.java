/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.intake.Answer;
import dev.sennit.store.TelemetryStore;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.resource.v1.Resource;
import java.util.HexFormat;
import java.util.List;

/** Log lines for tests, as an SDK would send them. */
final class LogRequests {
  private LogRequests() {}

  static LogRecord.Builder line(long millis, int severity, String body) {
    return LogRecord.newBuilder()
        .setTimeUnixNano(millis * 1_000_000)
        .setSeverityNumberValue(severity)
        .setBody(AnyValue.newBuilder().setStringValue(body));
  }

  static LogRecord.Builder in(LogRecord.Builder line, String trace, String span) {
    return line.setTraceId(id(trace)).setSpanId(id(span));
  }

  private static ByteString id(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }

  static KeyValue attribute(String key, String value) {
    return KeyValue.newBuilder()
        .setKey(key)
        .setValue(AnyValue.newBuilder().setStringValue(value))
        .build();
  }

  /** Stores lines of a service and waits until they can be read. */
  static void store(TelemetryStore store, String service, LogRecord.Builder... lines)
      throws InterruptedException {
    store(store, service, List.of(lines));
  }

  static void store(TelemetryStore store, String service, List<LogRecord.Builder> lines)
      throws InterruptedException {
    ScopeLogs.Builder scope = ScopeLogs.newBuilder();
    lines.forEach(scope::addLogRecords);
    scope.getScopeBuilder().setName("dev.shop.Orders");
    Answer answer =
        store.logs(
            ExportLogsServiceRequest.newBuilder()
                .addResourceLogs(
                    ResourceLogs.newBuilder()
                        .setResource(
                            Resource.newBuilder().addAttributes(attribute("service.name", service)))
                        .addScopeLogs(scope))
                .build());
    assertThat(answer).isEqualTo(Answer.TAKEN);
    store.flush();
  }
}
