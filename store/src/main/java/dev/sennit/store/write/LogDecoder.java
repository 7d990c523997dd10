/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.write.Rows.LogRow;
import dev.sennit.store.write.Rows.ProcessRow;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.ScopeLogs;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes rows of log records. */
public final class LogDecoder {
  private LogDecoder() {}

  /**
   * Makes the rows of a request.
   *
   * @param now nanoseconds since 1970, for records that say no time
   */
  public static Batch decode(ExportLogsServiceRequest request, long now) {
    Batch batch = new Batch(request.getSerializedSize());
    ContentHash hash = new ContentHash();
    for (ResourceLogs resource : request.getResourceLogsList()) {
      ProcessRow process = Origin.of(resource.getResource(), hash);
      batch.processes.put(process.processId(), process);
      for (ScopeLogs scope : resource.getScopeLogsList()) {
        @Nullable String scopeName = Origin.scope(scope.getScope());
        for (LogRecord line : scope.getLogRecordsList()) {
          batch.logs.add(row(line, process, scopeName, now));
        }
      }
    }
    return batch;
  }

  private static LogRow row(LogRecord line, ProcessRow process, @Nullable String scope, long now) {
    List<KeyValue> attributes = line.getAttributesList();
    @Nullable String traceId = Ids.trace(line.getTraceId());
    @Nullable Long pid = Attributes.number(attributes, "process.pid");
    return new LogRow(
        time(line, now),
        process.service(),
        line.getSeverityNumberValue(),
        Origin.textOrNull(line.getSeverityText()),
        Origin.textOrNull(line.getEventName()),
        AttributesJson.text(line.getBody()),
        AttributesJson.of(attributes),
        traceId,
        // Of a span nobody can say anything without its trace.
        traceId == null ? null : Ids.span(line.getSpanId()),
        pid != null ? pid : process.pid(),
        Attributes.number(attributes, "thread.id"),
        Attributes.text(attributes, "thread.name"),
        scope,
        process.processId());
  }

  private static long time(LogRecord line, long now) {
    if (line.getTimeUnixNano() != 0) {
      return Times.at(line.getTimeUnixNano());
    }
    return line.getObservedTimeUnixNano() != 0 ? Times.at(line.getObservedTimeUnixNano()) : now;
  }
}
