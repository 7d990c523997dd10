/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.export;

import dev.sennit.correlation.record.Found;
import dev.sennit.correlation.record.LogRecord;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.otlp.AttributeMessages;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.otlp.ResourceFrame;
import dev.sennit.otlp.Utf8;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Log records as OTLP has them: the message {@code ExportLogsServiceRequest}. The span of a record
 * is there twice, in the fields that are meant for it and in attributes, for backends differ in
 * which of them they show. Not for use by several threads at the same time.
 */
public final class LogRequest {
  private static final String SCOPE = "dev.sennit.correlation";

  /** What a line says under these names is said by its span, once. */
  private static final Set<String> OF_SPAN =
      Set.of("trace_id", "span_id", "service.name", "traceparent", "sennit.correlation");

  /** Fields of {@code opentelemetry.proto.logs.v1}. */
  private static final class Field {
    static final int LOG_RECORDS = 2;
    static final int TIME = 1;
    static final int SEVERITY_NUMBER = 2;
    static final int SEVERITY_TEXT = 3;
    static final int BODY = 5;
    static final int STRING_VALUE = 1;
    static final int BYTES_VALUE = 7;
    static final int ATTRIBUTES = 6;
    static final int FLAGS = 8;
    static final int TRACE_ID = 9;
    static final int SPAN_ID = 10;
    static final int OBSERVED_TIME = 11;
  }

  private final ProtobufEncoder out = new ProtobufEncoder(1 << 16);
  private final byte[] traceId = new byte[16];
  private final byte[] spanId = new byte[8];

  /** Those of one process stand together. */
  public byte[] of(List<LogRecord> records) {
    out.reset();
    ResourceFrame.write(out, SCOPE, records, LogRecord::resource, this::write);
    return out.toByteArray();
  }

  private void write(LogRecord record) {
    int message = out.beginMessage(Field.LOG_RECORDS);
    out.writeFixed64Field(Field.TIME, record.time());
    if (record.severity().number() != 0) {
      out.writeVarintField(Field.SEVERITY_NUMBER, record.severity().number());
    }
    if (record.severityText() != null) {
      out.writeString(Field.SEVERITY_TEXT, record.severityText());
    }
    int body = out.beginMessage(Field.BODY);
    byte[] bytes = record.body();
    out.writeBytes(Utf8.isValid(bytes) ? Field.STRING_VALUE : Field.BYTES_VALUE, bytes);
    out.endMessage(body);
    SpanContext span = record.span();
    record
        .attributes()
        .forEach(
            (key, value) -> {
              if (span == null || !OF_SPAN.contains(key)) {
                AttributeMessages.write(out, Field.ATTRIBUTES, key, value);
              }
            });
    if (span != null) {
      write(span, record.found(), record.resource().service());
    }
    out.writeFixed64Field(Field.OBSERVED_TIME, record.observed());
    out.endMessage(message);
  }

  private void write(SpanContext span, @Nullable Found found, String service) {
    attribute("trace_id", span.traceIdText());
    attribute("span_id", span.spanIdText());
    attribute("service.name", service);
    attribute("traceparent", span.traceparent());
    if (found != null) {
      attribute("sennit.correlation", found.text());
    }
    out.writeFixed32Field(Field.FLAGS, span.flags() & 0xff);
    ByteBuffer.wrap(traceId).putLong(span.traceHigh()).putLong(span.traceLow());
    out.writeBytes(Field.TRACE_ID, traceId);
    ByteBuffer.wrap(spanId).putLong(span.spanId());
    out.writeBytes(Field.SPAN_ID, spanId);
  }

  private void attribute(String key, String value) {
    AttributeMessages.write(out, Field.ATTRIBUTES, key, AttributeValue.of(value));
  }
}
