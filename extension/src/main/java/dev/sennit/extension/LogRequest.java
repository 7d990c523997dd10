/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import static dev.sennit.context.process.ProtoReader.FIXED32;
import static dev.sennit.context.process.ProtoReader.FIXED64;
import static dev.sennit.context.process.ProtoReader.LENGTH_DELIMITED;
import static dev.sennit.context.process.ProtoReader.tag;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.MalformedContextException;
import dev.sennit.context.process.ProcessContextCodec;
import dev.sennit.context.process.ProtoReader;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.common.InstrumentationScopeInfoBuilder;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes records as the SDK has them of an {@code ExportLogsServiceRequest} as the agent writes it.
 * A field that is not known here is an error: what would be lost on the way is not to go this way.
 */
final class LogRequest {
  private static final int RESOURCE_LOGS = tag(1, LENGTH_DELIMITED);

  private static final int RESOURCE_LOGS_RESOURCE = tag(1, LENGTH_DELIMITED);
  private static final int RESOURCE_LOGS_SCOPE_LOGS = tag(2, LENGTH_DELIMITED);

  private static final int RESOURCE_ATTRIBUTES = tag(1, LENGTH_DELIMITED);

  private static final int SCOPE_LOGS_SCOPE = tag(1, LENGTH_DELIMITED);
  private static final int SCOPE_LOGS_RECORDS = tag(2, LENGTH_DELIMITED);

  private static final int SCOPE_NAME = tag(1, LENGTH_DELIMITED);
  private static final int SCOPE_VERSION = tag(2, LENGTH_DELIMITED);

  private static final int RECORD_TIME = tag(1, FIXED64);
  private static final int RECORD_BODY = tag(5, LENGTH_DELIMITED);
  private static final int RECORD_ATTRIBUTES = tag(6, LENGTH_DELIMITED);
  private static final int RECORD_FLAGS = tag(8, FIXED32);
  private static final int RECORD_TRACE_ID = tag(9, LENGTH_DELIMITED);
  private static final int RECORD_SPAN_ID = tag(10, LENGTH_DELIMITED);
  private static final int RECORD_OBSERVED_TIME = tag(11, FIXED64);
  private static final int RECORD_EVENT_NAME = tag(12, LENGTH_DELIMITED);

  private static final int BODY_STRING = tag(1, LENGTH_DELIMITED);

  private final List<LogRecordData> records = new ArrayList<>();

  private LogRequest() {}

  /**
   * @throws MalformedContextException if it has a field that is not known
   * @throws IllegalArgumentException if it has a value that the SDK does not have
   */
  static List<LogRecordData> read(byte[] request) throws MalformedContextException {
    LogRequest reading = new LogRequest();
    ProtoReader in = new ProtoReader("ExportLogsServiceRequest", request);
    while (in.next()) {
      require(in, RESOURCE_LOGS);
      reading.resourceLogs(in.message("ResourceLogs"));
    }
    return reading.records;
  }

  private void resourceLogs(ProtoReader in) throws MalformedContextException {
    Resource resource = Resource.empty();
    while (in.next()) {
      if (in.tag() == RESOURCE_LOGS_RESOURCE) {
        resource = resource(in.message("Resource"));
      } else {
        require(in, RESOURCE_LOGS_SCOPE_LOGS);
        scopeLogs(in.message("ScopeLogs"), resource);
      }
    }
  }

  private static Resource resource(ProtoReader in) throws MalformedContextException {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    while (in.next()) {
      require(in, RESOURCE_ATTRIBUTES);
      ProcessContextCodec.readKeyValue(in.message("KeyValue"), attributes);
    }
    return Resource.create(SdkAttributes.of(attributes));
  }

  private void scopeLogs(ProtoReader in, Resource resource) throws MalformedContextException {
    InstrumentationScopeInfo scope = InstrumentationScopeInfo.empty();
    while (in.next()) {
      if (in.tag() == SCOPE_LOGS_SCOPE) {
        scope = scope(in.message("InstrumentationScope"));
      } else {
        require(in, SCOPE_LOGS_RECORDS);
        records.add(record(in.message("LogRecord"), resource, scope));
      }
    }
  }

  private static InstrumentationScopeInfo scope(ProtoReader in) throws MalformedContextException {
    String name = "";
    String version = "";
    while (in.next()) {
      if (in.tag() == SCOPE_NAME) {
        name = in.text();
      } else {
        require(in, SCOPE_VERSION);
        version = in.text();
      }
    }
    InstrumentationScopeInfoBuilder scope = InstrumentationScopeInfo.builder(name);
    return version.isEmpty() ? scope.build() : scope.setVersion(version).build();
  }

  private static LogRecordData record(
      ProtoReader in, Resource resource, InstrumentationScopeInfo scope)
      throws MalformedContextException {
    long time = 0;
    long observedTime = 0;
    String body = "";
    String eventName = "";
    String traceId = "";
    String spanId = "";
    int flags = 0;
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    while (in.next()) {
      int tag = in.tag();
      if (tag == RECORD_TIME) {
        time = in.fixed64();
      } else if (tag == RECORD_OBSERVED_TIME) {
        observedTime = in.fixed64();
      } else if (tag == RECORD_BODY) {
        body = body(in.message("AnyValue"));
      } else if (tag == RECORD_ATTRIBUTES) {
        ProcessContextCodec.readKeyValue(in.message("KeyValue"), attributes);
      } else if (tag == RECORD_FLAGS) {
        flags = in.fixed32();
      } else if (tag == RECORD_TRACE_ID) {
        traceId = HexFormat.of().formatHex(in.bytes());
      } else if (tag == RECORD_SPAN_ID) {
        spanId = HexFormat.of().formatHex(in.bytes());
      } else {
        require(in, RECORD_EVENT_NAME);
        eventName = in.text();
      }
    }
    return new HandedLogRecord(
        resource,
        scope,
        time,
        observedTime,
        span(traceId, spanId, flags),
        body,
        SdkAttributes.of(attributes),
        eventName);
  }

  private static SpanContext span(String traceId, String spanId, int flags) {
    if (traceId.isEmpty() && spanId.isEmpty() && flags == 0) {
      return SpanContext.getInvalid();
    }
    SpanContext span =
        SpanContext.create(
            traceId, spanId, TraceFlags.fromByte((byte) flags), TraceState.getDefault());
    if (!span.isValid() || flags >>> Byte.SIZE != 0) {
      throw new IllegalArgumentException(
          "the SDK has no span '" + traceId + "-" + spanId + "' with flags " + flags);
    }
    return span;
  }

  private static String body(ProtoReader in) throws MalformedContextException {
    String body = "";
    while (in.next()) {
      require(in, BODY_STRING);
      body = in.text();
    }
    return body;
  }

  private static void require(ProtoReader in, int tag) throws MalformedContextException {
    if (in.tag() != tag) {
      throw in.malformed("is not among those that are handed to an SDK");
    }
  }
}
