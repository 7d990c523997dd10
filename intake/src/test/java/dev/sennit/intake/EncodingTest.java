/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.common.v1.KeyValueList;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EncodingTest {
  private static final ExportLogsServiceRequest ALL_KINDS =
      ExportLogsServiceRequest.newBuilder()
          .addResourceLogs(
              ResourceLogs.newBuilder()
                  .addScopeLogs(
                      ScopeLogs.newBuilder()
                          .addLogRecords(
                              LogRecord.newBuilder()
                                  .setTimeUnixNano(-1)
                                  .setFlags(-1)
                                  .setSeverityNumber(SeverityNumber.SEVERITY_NUMBER_ERROR)
                                  .setTraceId(ByteString.copyFrom(new byte[16]))
                                  .setBody(
                                      AnyValue.newBuilder().setStringValue("a \"b\" \n ü \0 💧"))
                                  .addAttributes(attribute("int", any().setIntValue(-7)))
                                  .addAttributes(attribute("real", any().setDoubleValue(0.1)))
                                  .addAttributes(
                                      attribute("none", any().setDoubleValue(Double.NaN)))
                                  .addAttributes(
                                      attribute(
                                          "least", any().setDoubleValue(Double.NEGATIVE_INFINITY)))
                                  .addAttributes(attribute("no", any().setBoolValue(false)))
                                  .addAttributes(
                                      attribute(
                                          "bytes",
                                          any().setBytesValue(ByteString.copyFromUtf8("\0\1?"))))
                                  .addAttributes(
                                      attribute(
                                          "map",
                                          any()
                                              .setKvlistValue(
                                                  KeyValueList.newBuilder()
                                                      .addValues(attribute("k", any()))))))))
          .build();

  private static AnyValue.Builder any() {
    return AnyValue.newBuilder();
  }

  private static KeyValue attribute(String key, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(key).setValue(value).build();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenIsReadAgain(Encoding encoding) throws Exception {
    byte[] bytes = encoding.write(ALL_KINDS);

    assertThat(encoding.read(bytes, ExportLogsServiceRequest.getDefaultInstance()))
        .isEqualTo(ALL_KINDS);
    assertThat(Encoding.of(bytes)).isEqualTo(encoding);
  }

  @Test
  void protobufThatBeginsLikeJsonIsNotTakenForIt() {
    byte[] bytes = new byte[125];
    bytes[0] = '\n';
    bytes[1] = '{';
    assertThat(Encoding.of(bytes)).isEqualTo(Encoding.PROTOBUF);
    assertThat(Encoding.of(" {} ".getBytes(UTF_8))).isEqualTo(Encoding.JSON);
  }

  @Test
  void jsonIsAsTheSpecificationHasIt() {
    Span span =
        Span.newBuilder()
            .setTraceId(ByteString.copyFrom(new byte[] {0x5b, (byte) 0x8e}))
            .setStartTimeUnixNano(1544712660000000000L)
            .setKind(Span.SpanKind.SPAN_KIND_SERVER)
            .setDroppedLinksCount(3)
            .build();

    assertThat(new String(Encoding.JSON.write(span), UTF_8))
        .isEqualTo(
            """
            {"traceId":"5b8e","kind":2,"startTimeUnixNano":"1544712660000000000",\
            "droppedLinksCount":3}\
            """);
  }

  @Test
  void numbersMayBeTextAndUnknownNamesArePassedOver() throws Exception {
    Span span =
        Encoding.JSON.read(
            """
            {"future": {"deep": [1, {"x": null}]}, "startTimeUnixNano": 17,
             "endTimeUnixNano": "18446744073709551615", "droppedLinksCount": "4",
             "traceId": "5B8EFFF798038103D269B633813FC60C", "name": null, "status": {}}
            """
                .getBytes(UTF_8),
            Span.getDefaultInstance());

    assertThat(span.getStartTimeUnixNano()).isEqualTo(17);
    assertThat(span.getEndTimeUnixNano()).isEqualTo(-1);
    assertThat(span.getDroppedLinksCount()).isEqualTo(4);
    assertThat(span.getTraceId().size()).isEqualTo(16);
    assertThat(span.getName()).isEmpty();
    assertThat(span.hasStatus()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "17",
        "{} {}",
        "{\"resourceSpans\": {}}",
        "{\"resourceSpans\": [17]}",
        "{\"resourceSpans\": [null]}",
        "{\"resourceSpans\":[{\"schemaUrl\": 1}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"xy\"}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"kind\":\"SPAN_KIND_SERVER\"}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"startTimeUnixNano\":1.5}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"startTimeUnixNano\":\"-1\"}]}]}]}",
        "{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[{\"flags\":4294967296}]}]}]}",
      })
  void whatIsWrongIsNamed(String text) {
    assertThatThrownBy(
            () ->
                Encoding.JSON.read(
                    text.getBytes(UTF_8), ExportTraceServiceRequest.getDefaultInstance()))
        .isInstanceOf(MalformedException.class)
        .hasMessageMatching("(?s)(at |not JSON: ).+");
  }

  @Test
  void valuesThatHoldValuesAreBounded() {
    String deep = "{\"arrayValue\":{\"values\":[".repeat(10_000);

    assertThatThrownBy(
            () -> Encoding.JSON.read(deep.getBytes(UTF_8), AnyValue.getDefaultInstance()))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining("nested deeper than 64");
  }

  @Test
  void cutOffProtobufIsNamed() {
    byte[] whole = Encoding.PROTOBUF.write(ALL_KINDS);

    assertThatThrownBy(
            () ->
                Encoding.PROTOBUF.read(
                    Arrays.copyOf(whole, whole.length - 1),
                    ExportLogsServiceRequest.getDefaultInstance()))
        .isInstanceOf(MalformedException.class)
        .hasMessageContaining((whole.length - 1) + " bytes are not ExportLogsServiceRequest");
  }
}
