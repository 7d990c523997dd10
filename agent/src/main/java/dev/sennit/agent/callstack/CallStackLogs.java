/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.callstack.CallStackSettings.DataFormat;
import dev.sennit.agent.callstack.ThreadDump.Entry;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.otlp.ProtobufEncoder;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * Makes OTLP requests ({@code ExportLogsServiceRequest}) of dumps. As text every thread is a
 * record; as pprof a dump is one.
 */
final class CallStackLogs {
  private static final String NAME = "otel.profiling";
  private static final String VERSION = "0.1.0";
  private static final String EVENT = "ThreadDump";

  /** gRPC servers take 4 MiB by default; a record more may come on top. */
  private static final int MAX_REQUEST = 1 << 20;

  /** Fields of {@code opentelemetry.proto.logs.v1}. */
  private static final class Field {
    static final int RESOURCE_LOGS = 1;
    static final int RESOURCE = 1;
    static final int SCOPE_LOGS = 2;
    static final int SCOPE = 1;
    static final int SCOPE_NAME = 1;
    static final int SCOPE_VERSION = 2;
    static final int LOG_RECORDS = 2;
    static final int TIME = 1;
    static final int BODY = 5;
    static final int ATTRIBUTES = 6;
    static final int FLAGS = 8;
    static final int TRACE_ID = 9;
    static final int SPAN_ID = 10;
    static final int OBSERVED_TIME = 11;
    static final int EVENT_NAME = 12;
    static final int STRING_VALUE = 1;
  }

  private final long periodMillis;
  private final DataFormat format;
  private final ResourceMessage resource = new ResourceMessage();
  private final ProtobufEncoder encoder = new ProtobufEncoder(1 << 16);
  private int resourceLogs;
  private int scopeLogs;

  CallStackLogs(CallStackSettings settings) {
    this.periodMillis = settings.interval().toMillis();
    this.format = settings.format();
  }

  /** Hands over the requests of a dump; none if it has no threads. */
  void write(ThreadDump dump, Consumer<byte[]> requests) {
    if (dump.stacks().isEmpty()) {
      return;
    }
    begin();
    if (format == DataFormat.PPROF) {
      record(SpanIds.NONE, PprofBody.of(dump, periodMillis), false, dump);
    } else {
      for (Entry entry : dump.stacks()) {
        if (encoder.size() > MAX_REQUEST) {
          requests.accept(end());
          begin();
        }
        ThreadStack thread = entry.thread();
        record(entry.span(), CallStackText.of(thread), dump.isCut(thread), dump);
      }
    }
    requests.accept(end());
  }

  private void begin() {
    encoder.reset();
    resourceLogs = encoder.beginMessage(Field.RESOURCE_LOGS);
    int message = encoder.beginMessage(Field.RESOURCE);
    resource.writeTo(encoder);
    encoder.endMessage(message);
    scopeLogs = encoder.beginMessage(Field.SCOPE_LOGS);
    int scope = encoder.beginMessage(Field.SCOPE);
    encoder.writeString(Field.SCOPE_NAME, NAME);
    encoder.writeString(Field.SCOPE_VERSION, VERSION);
    encoder.endMessage(scope);
  }

  private byte[] end() {
    encoder.endMessage(scopeLogs);
    encoder.endMessage(resourceLogs);
    return encoder.toByteArray();
  }

  private void record(SpanIds span, String body, boolean cut, ThreadDump dump) {
    int record = encoder.beginMessage(Field.LOG_RECORDS);
    encoder.writeFixed64Field(Field.TIME, dump.unixNanos());
    Instant now = Instant.now();
    encoder.writeFixed64Field(
        Field.OBSERVED_TIME, now.getEpochSecond() * 1_000_000_000 + now.getNano());
    int any = encoder.beginMessage(Field.BODY);
    encoder.writeString(Field.STRING_VALUE, body);
    encoder.endMessage(any);
    attribute("com.splunk.sourcetype", AttributeValue.of(NAME));
    attribute("source.event.period", AttributeValue.of(periodMillis));
    attribute("source.event.name", AttributeValue.of(EVENT));
    attribute("profiling.data.format", AttributeValue.of(format.settingValue()));
    attribute("profiling.data.type", AttributeValue.of("cpu"));
    if (format == DataFormat.PPROF) {
      long frames = dump.stacks().stream().mapToLong(e -> e.thread().frames().size()).sum();
      attribute("profiling.data.total.frame.count", AttributeValue.of(frames));
      attribute("profiling.instrumentation.source", AttributeValue.of("continuous"));
    }
    if (cut) {
      attribute("thread.stack.truncated", AttributeValue.of(true));
    }
    if (span.isSpan()) {
      encoder.writeFixed32Field(Field.FLAGS, span.flags() & 0xFF);
      encoder.writeBytes(
          Field.TRACE_ID,
          ByteBuffer.allocate(16).putLong(span.traceIdHigh()).putLong(span.traceIdLow()).array());
      encoder.writeBytes(Field.SPAN_ID, ByteBuffer.allocate(8).putLong(span.spanId()).array());
    }
    encoder.writeString(Field.EVENT_NAME, NAME);
    encoder.endMessage(record);
  }

  private void attribute(String key, AttributeValue value) {
    ResourceMessage.attribute(encoder, Field.ATTRIBUTES, key, value);
  }
}
