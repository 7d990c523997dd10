/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.correlation.record.Found;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.Severity;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** The official classes read what is sent. */
final class LogRequestTest {
  private static final Resource SHOP =
      new Resource(
          "shop",
          Map.of(
              "service.name", AttributeValue.of("shop"),
              "sennit.span_source", AttributeValue.of("sdk")));

  private final LogRequest request = new LogRequest();

  @Test
  void everyFieldArrives() throws Exception {
    LogRecord record =
        new LogRecord(
            17,
            18,
            Severity.WARN,
            "WARNING",
            "grüße".getBytes(UTF_8),
            Map.of("k", AttributeValue.of("v"), "trace_id", AttributeValue.of("said")),
            SHOP,
            new SpanContext(0x0102030405060708L, 0x090a0b0c0d0e0f10L, 0x1112131415161718L, 1),
            Found.RECORD);

    ResourceLogs logs = parsed(List.of(record)).getResourceLogs(0);
    assertThat(logs.getResource().getAttributesList())
        .extracting(KeyValue::getKey)
        .containsExactly("service.name");
    assertThat(logs.getScopeLogs(0).getScope().getName()).isEqualTo("dev.sennit.correlation");
    io.opentelemetry.proto.logs.v1.LogRecord read = logs.getScopeLogs(0).getLogRecords(0);
    assertThat(read.getTimeUnixNano()).isEqualTo(17);
    assertThat(read.getObservedTimeUnixNano()).isEqualTo(18);
    assertThat(read.getSeverityNumber()).isEqualTo(SeverityNumber.SEVERITY_NUMBER_WARN);
    assertThat(read.getSeverityText()).isEqualTo("WARNING");
    assertThat(read.getBody().getStringValue()).isEqualTo("grüße");
    assertThat(read.getFlags()).isEqualTo(1);
    assertThat(read.getTraceId()).isEqualTo(ByteString.fromHex("0102030405060708090a0b0c0d0e0f10"));
    assertThat(read.getSpanId()).isEqualTo(ByteString.fromHex("1112131415161718"));
    assertThat(read.getAttributesList())
        .extracting(KeyValue::getKey, each -> each.getValue().getStringValue())
        .containsExactlyInAnyOrder(
            Tuple.tuple("k", "v"),
            Tuple.tuple("trace_id", "0102030405060708090a0b0c0d0e0f10"),
            Tuple.tuple("span_id", "1112131415161718"),
            Tuple.tuple("service.name", "shop"),
            Tuple.tuple("traceparent", "00-0102030405060708090a0b0c0d0e0f10-1112131415161718-01"),
            Tuple.tuple("sennit.correlation", "record"));
    assertThat(read.getUnknownFields().asMap()).isEmpty();
  }

  @Test
  void aLineWithoutASpanHasNothingOfOne() throws Exception {
    LogRecord record =
        new LogRecord(1, 1, Severity.UNSPECIFIED, null, new byte[0], Map.of(), SHOP, null, null);

    io.opentelemetry.proto.logs.v1.LogRecord read =
        parsed(List.of(record)).getResourceLogs(0).getScopeLogs(0).getLogRecords(0);
    assertThat(read.getTraceId().isEmpty() && read.getSpanId().isEmpty()).isTrue();
    assertThat(read.getAttributesList()).isEmpty();
    assertThat(read.getBody().hasStringValue()).isTrue();
  }

  @Test
  void bytesThatAreNoTextSurvive() throws Exception {
    byte[] bytes = {'a', (byte) 0xff, 0, 'b'};
    LogRecord record = new LogRecord(1, 1, Severity.INFO, null, bytes, Map.of(), SHOP, null, null);

    io.opentelemetry.proto.logs.v1.LogRecord read =
        parsed(List.of(record)).getResourceLogs(0).getScopeLogs(0).getLogRecords(0);
    assertThat(read.getBody().getBytesValue().toByteArray()).isEqualTo(bytes);
  }

  private ExportLogsServiceRequest parsed(List<LogRecord> records) throws Exception {
    return ExportLogsServiceRequest.parseFrom(request.of(records));
  }
}
