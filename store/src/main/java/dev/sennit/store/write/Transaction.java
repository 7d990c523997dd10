/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.write.Rows.EventRow;
import dev.sennit.store.write.Rows.FrameRow;
import dev.sennit.store.write.Rows.LinkRow;
import dev.sennit.store.write.Rows.LogRow;
import dev.sennit.store.write.Rows.ProcessRow;
import dev.sennit.store.write.Rows.ProfileRows;
import dev.sennit.store.write.Rows.SampleRow;
import dev.sennit.store.write.Rows.SpanRow;
import dev.sennit.store.write.Rows.StackRow;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/** Writes batches in one transaction: after it all of them are in the file, or none. */
final class Transaction {
  /**
   * How far behind the time may be at which a process was last seen: updates cost more than rows.
   */
  private static final long SEEN_EVERY_MICROS = 5_000_000;

  private final DuckDBConnection connection;
  private final Known known;
  private final long received;
  private final long generation;
  private long spans;
  private long logs;
  private long samples;
  private long duplicates;

  /**
   * @param received microseconds since 1970
   */
  Transaction(DuckDBConnection connection, Known known, long received) {
    this.connection = connection;
    this.known = known;
    this.received = received;
    this.generation = known.generation();
  }

  void write(List<Batch> batches) throws SQLException {
    // Said in words: without automatic commits the driver begins at the next statement only, and an
    // appender is none.
    execute("BEGIN TRANSACTION");
    writeProcesses(batches);
    if (batches.stream().anyMatch(batch -> !batch.spans.isEmpty())) {
      writeSpans(batches);
    }
    if (batches.stream().anyMatch(batch -> !batch.logs.isEmpty())) {
      writeLogs(batches);
    }
    if (batches.stream().anyMatch(batch -> !batch.profiles.isEmpty())) {
      writeStacks(batches);
      writeSamples(batches);
    }
    execute("COMMIT");
  }

  /** Does all that a transaction does, with no rows. */
  void rehearse() throws SQLException {
    execute("BEGIN TRANSACTION");
    writeProcesses(List.of());
    writeSpans(List.of());
    writeLogs(List.of());
    writeStacks(List.of());
    writeSamples(List.of());
    execute("COMMIT");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  void addTo(WriteCounts counts) {
    counts.spans.add(spans);
    counts.logs.add(logs);
    counts.samples.add(samples);
    counts.duplicates.add(duplicates);
  }

  private void writeProcesses(List<Batch> batches) throws SQLException {
    List<Long> seenAgain = new ArrayList<>();
    try (TableAppender table = new TableAppender(connection, "process_rows")) {
      for (Batch batch : batches) {
        for (ProcessRow process : batch.processes.values()) {
          Long before = known.processes.get(process.processId());
          if (before == null) {
            write(process, table);
          } else if (before + SEEN_EVERY_MICROS < received) {
            seenAgain.add(process.processId());
          } else {
            continue;
          }
          known.processes.put(process.processId(), received);
        }
      }
    }
    if (!seenAgain.isEmpty()) {
      String ids = seenAgain.stream().map(String::valueOf).collect(Collectors.joining(", "));
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate(
            "UPDATE process_rows SET last_seen = make_timestamp("
                + received
                + ") WHERE generation = make_timestamp("
                + generation
                + ") AND process_id IN ("
                + ids
                + ")");
      }
    }
  }

  private void write(ProcessRow process, TableAppender table) throws SQLException {
    table
        .row()
        .number(process.processId())
        .text(process.service())
        .text(process.instance())
        .text(process.host())
        .number(process.pid())
        .micros(known.firstSeen.computeIfAbsent(process.processId(), fresh -> received))
        .micros(received)
        .text(process.resource())
        .micros(generation)
        .end();
  }

  private void writeSpans(List<Batch> batches) throws SQLException {
    try (TableAppender table = new TableAppender(connection, "spans");
        TableAppender events = new TableAppender(connection, "span_events");
        TableAppender links = new TableAppender(connection, "span_links")) {
      for (Batch batch : batches) {
        for (SpanRow span : batch.spans) {
          if (known.spans.add(span.traceId(), span.spanId())) {
            spans++;
            write(span, table);
            writeEvents(span, events);
            writeLinks(span, links);
          } else {
            duplicates++;
          }
        }
      }
    }
  }

  private void write(SpanRow span, TableAppender table) throws SQLException {
    table
        .row()
        .text(span.traceId())
        .text(span.spanId())
        .text(span.parentSpanId())
        .text(span.service())
        .text(span.name())
        .text(span.kind())
        .text(span.peer())
        .nanos(span.start())
        .number(span.duration())
        .text(span.status())
        .text(span.statusMessage())
        .text(span.attributes())
        .text(span.scope())
        .text(span.traceState())
        .number(span.processId())
        .micros(received)
        .end();
  }

  private void writeEvents(SpanRow span, TableAppender table) throws SQLException {
    for (EventRow event : span.events()) {
      table
          .row()
          .text(span.traceId())
          .text(span.spanId())
          .nanos(event.time())
          .text(event.name())
          .text(event.attributes())
          .micros(received)
          .end();
    }
  }

  private void writeLinks(SpanRow span, TableAppender table) throws SQLException {
    for (LinkRow link : span.links()) {
      table
          .row()
          .text(span.traceId())
          .text(span.spanId())
          .text(link.traceId())
          .text(link.spanId())
          .text(link.attributes())
          .micros(received)
          .end();
    }
  }

  private void writeLogs(List<Batch> batches) throws SQLException {
    try (TableAppender table = new TableAppender(connection, "logs")) {
      for (Batch batch : batches) {
        for (LogRow line : batch.logs) {
          logs++;
          write(line, table);
        }
      }
    }
  }

  private void write(LogRow line, TableAppender table) throws SQLException {
    table
        .row()
        .number(known.nextSeq++)
        .nanos(line.time())
        .text(line.service())
        .integer(line.severity())
        .text(line.severityText())
        .text(line.eventName())
        .text(line.body())
        .text(line.attributes())
        .text(line.traceId())
        .text(line.spanId())
        .number(line.pid())
        .number(line.threadId())
        .text(line.threadName())
        .text(line.scope())
        .number(line.processId())
        .micros(received)
        .end();
  }

  private void writeStacks(List<Batch> batches) throws SQLException {
    try (TableAppender stacks = new TableAppender(connection, "stack_rows");
        TableAppender frames = new TableAppender(connection, "frame_rows")) {
      for (Batch batch : batches) {
        for (StackRow stack : batch.stacks.values()) {
          if (known.stacks.add(stack.stackId())) {
            stacks.row().number(stack.stackId()).list(stack.frameIds()).micros(generation).end();
          }
        }
        for (FrameRow frame : batch.frames.values()) {
          if (known.frames.add(frame.frameId())) {
            frames
                .row()
                .number(frame.frameId())
                .text(frame.name())
                .text(frame.file())
                .number(frame.line())
                .text(frame.kind())
                .micros(generation)
                .end();
          }
        }
      }
    }
  }

  private void writeSamples(List<Batch> batches) throws SQLException {
    try (TableAppender table = new TableAppender(connection, "samples")) {
      for (Batch batch : batches) {
        for (ProfileRows profile : batch.profiles) {
          if (profile.profileId() != null && !known.profiles.add(profile.profileId())) {
            duplicates += profile.samples().size();
            continue;
          }
          for (SampleRow sample : profile.samples()) {
            samples++;
            write(sample, table);
          }
        }
      }
    }
  }

  private void write(SampleRow sample, TableAppender table) throws SQLException {
    table
        .row()
        .nanos(sample.time())
        .number(sample.interval())
        .text(sample.type())
        .text(sample.unit())
        .number(sample.value())
        .number(sample.period())
        .number(sample.stackId())
        .text(sample.service())
        .text(sample.traceId())
        .text(sample.spanId())
        .number(sample.threadId())
        .text(sample.threadName())
        .text(sample.attributes())
        .number(sample.processId())
        .micros(received)
        .end();
  }
}
