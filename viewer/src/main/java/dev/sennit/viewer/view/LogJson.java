/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.LogHead;
import dev.sennit.store.query.LogLine;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Log lines as the page gets them; what a line does not have is left out. */
final class LogJson {
  private static final double NANOS = 1e6;

  private LogJson() {}

  static void writeHeads(JsonGenerator out, String field, List<LogHead> lines) throws IOException {
    out.writeArrayFieldStart(field);
    for (LogHead line : lines) {
      out.writeStartObject();
      out.writeNumberField("seq", line.seq());
      out.writeNumberField("time", line.time() / NANOS);
      out.writeStringField("service", line.service());
      out.writeNumberField("severity", line.severity());
      text(out, "word", line.severityText());
      text(out, "body", line.body() != null ? line.body() : line.eventName());
      if (line.cut()) {
        out.writeBooleanField("cut", true);
      }
      text(out, "trace", line.traceId());
      text(out, "span", line.spanId());
      number(out, "tid", line.threadId());
      text(out, "thread", line.threadName());
      text(out, "correlation", line.correlation());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  static void write(JsonGenerator out, LogLine line) throws IOException {
    out.writeStartObject();
    out.writeNumberField("seq", line.seq());
    out.writeNumberField("time", line.time() / NANOS);
    // As text, for JavaScript's numbers do not have as many digits.
    out.writeStringField("nanos", Long.toString(line.time()));
    out.writeStringField("service", line.service());
    out.writeNumberField("severity", line.severity());
    text(out, "word", line.severityText());
    text(out, "event", line.eventName());
    text(out, "body", line.body());
    text(out, "trace", line.traceId());
    text(out, "span", line.spanId());
    number(out, "pid", line.pid());
    number(out, "tid", line.threadId());
    text(out, "thread", line.threadName());
    text(out, "scope", line.scope());
    if (line.attributes() != null) {
      out.writeFieldName("attributes");
      out.writeRawValue(line.attributes());
    }
    out.writeEndObject();
  }

  private static void text(JsonGenerator out, String name, @Nullable String value)
      throws IOException {
    if (value != null) {
      out.writeStringField(name, value);
    }
  }

  private static void number(JsonGenerator out, String name, @Nullable Long value)
      throws IOException {
    if (value != null) {
      out.writeNumberField(name, value);
    }
  }
}
