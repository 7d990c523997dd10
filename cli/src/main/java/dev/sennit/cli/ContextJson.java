/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The records of a process as a JSON document. */
final class ContextJson {
  private ContextJson() {}

  static String document(ContextReport report) {
    return Json.object(
        json -> {
          json.writeNumberField("pid", report.pid());
          json.writeFieldName("process");
          if (report.process() instanceof ProcessReading.Published published) {
            writeProcess(json, published);
          } else {
            json.writeNull();
          }
          if (report.threads() != null) {
            json.writeFieldName("threads");
            writeThreads(json, report.threads());
          }
          @Nullable String problem = report.problem();
          if (problem != null) {
            json.writeStringField("problem", problem);
          }
        });
  }

  private static void writeProcess(JsonGenerator json, ProcessReading.Published published)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("version", published.version());
    json.writeNumberField("publishedAtNs", published.publishedAtNs());
    json.writeFieldName("resource");
    writeEntries(json, published.context().resource());
    json.writeFieldName("attributes");
    writeEntries(json, published.context().attributes());
    json.writeEndObject();
  }

  private static void writeThreads(JsonGenerator json, ThreadReading reading) throws IOException {
    if (!(reading instanceof ThreadReading.Threads read)) {
      json.writeNull();
      return;
    }
    json.writeStartArray();
    for (ThreadRecord thread : read.threads()) {
      writeThread(json, thread);
    }
    json.writeEndArray();
  }

  private static void writeThread(JsonGenerator json, ThreadRecord thread) throws IOException {
    json.writeStartObject();
    json.writeNumberField("tid", thread.tid());
    json.writeStringField("name", thread.name());
    json.writeStringField("traceId", Ids.traceId(thread));
    json.writeStringField("spanId", Ids.spanId(thread.spanId()));
    json.writeStringField("rootSpanId", Ids.spanId(thread.rootSpanId()));
    json.writeNumberField("flags", thread.flags());
    json.writeObjectFieldStart("attributes");
    for (Map.Entry<String, String> attribute : thread.attributes().entrySet()) {
      json.writeStringField(attribute.getKey(), attribute.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void writeEntries(JsonGenerator json, Map<String, AttributeValue> entries)
      throws IOException {
    json.writeStartObject();
    for (Map.Entry<String, AttributeValue> entry : entries.entrySet()) {
      json.writeFieldName(entry.getKey());
      writeValue(json, entry.getValue());
    }
    json.writeEndObject();
  }

  /** Each kind as JSON has it; bytes in base64, and what JSON has no number for as a string. */
  static void writeValue(JsonGenerator json, AttributeValue value) throws IOException {
    switch (value) {
      case AttributeValue.Text(String text) -> json.writeString(text);
      case AttributeValue.Flag(boolean flag) -> json.writeBoolean(flag);
      case AttributeValue.Whole(long number) -> json.writeNumber(number);
      case AttributeValue.Real(double number) -> json.writeNumber(number);
      case AttributeValue.Bytes bytes -> json.writeBinary(bytes.value());
      case AttributeValue.Entries(Map<String, AttributeValue> entries) ->
          writeEntries(json, entries);
      case AttributeValue.Empty() -> json.writeNull();
      case AttributeValue.Array array -> {
        json.writeStartArray();
        for (AttributeValue element : array.values()) {
          writeValue(json, element);
        }
        json.writeEndArray();
      }
    }
  }
}
