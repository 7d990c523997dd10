/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.memory.Libc;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The records of a process as lines for people. */
final class ContextText {
  private static final String INDENT = "  ";

  private ContextText() {}

  /** A line, and whether it heads those below it. */
  record Line(String text, boolean heading) {}

  static List<Line> lines(ContextReport report) {
    List<Line> lines = new ArrayList<>();
    addHeading(lines, report);
    if (report.process() instanceof ProcessReading.Published published) {
      addEntries(lines, "resource", published.context().resource());
      addEntries(lines, "attributes", published.context().attributes());
      addThreads(lines, report);
    }
    return lines;
  }

  /** What changes, for a screen that has no room for the rest. */
  static List<Line> threadLines(ContextReport report) {
    List<Line> lines = new ArrayList<>();
    addHeading(lines, report);
    addThreads(lines, report);
    return lines;
  }

  private static void addHeading(List<Line> lines, ContextReport report) {
    lines.add(
        heading(
            report.process() instanceof ProcessReading.Published published
                ? "process %d, context version %d, %s"
                    .formatted(report.pid(), published.version(), age(published.publishedAtNs()))
                : String.valueOf(report.problem())));
  }

  private static void addEntries(
      List<Line> lines, String name, Map<String, AttributeValue> entries) {
    if (entries.isEmpty()) {
      return;
    }
    lines.add(heading(name));
    Table table = new Table("", "");
    entries.forEach((key, value) -> table.add(Printable.of(key), text(value)));
    table.lines().stream().skip(1).forEach(line -> lines.add(new Line(INDENT + line, false)));
  }

  private static void addThreads(List<Line> lines, ContextReport report) {
    if (report.threads() == null) {
      return;
    }
    if (!(report.threads() instanceof ThreadReading.Threads read)) {
      lines.add(heading(String.valueOf(report.problem())));
      return;
    }
    String unsettled =
        read.unsettled() == 0 ? "" : " (" + read.unsettled() + " more could not be read in time)";
    lines.add(heading("threads in spans: " + read.threads().size() + unsettled));
    if (read.threads().isEmpty()) {
      return;
    }
    Table table = new Table("TID", "NAME", "TRACE ID", "SPAN ID", "FLAGS", "ATTRIBUTES");
    for (ThreadRecord thread : read.threads()) {
      table.add(
          Integer.toString(thread.tid()),
          Printable.of(thread.name()),
          Ids.traceId(thread),
          Ids.spanId(thread.spanId()),
          Ids.flags(thread.flags()),
          thread.attributes().entrySet().stream()
              .map(entry -> Printable.of(entry.getKey() + "=" + entry.getValue()))
              .collect(Collectors.joining(" ")));
    }
    table.lines().forEach(line -> lines.add(new Line(INDENT + line, false)));
  }

  private static Line heading(String text) {
    return new Line(Printable.of(text), true);
  }

  /** A string as it is, everything else as JSON. */
  static String text(AttributeValue value) {
    if (value instanceof AttributeValue.Text(String text)) {
      return Printable.of(text);
    }
    return Printable.of(Json.value(json -> ContextJson.writeValue(json, value)));
  }

  /**
   * The draft of the format counts from the epoch, the merged one from the start of the machine.
   */
  private static String age(long publishedAtNs) {
    long sinceBoot = Libc.clockNanos(Libc.CLOCK_BOOTTIME) - publishedAtNs;
    long sinceEpoch = System.currentTimeMillis() * 1_000_000 - publishedAtNs;
    if (sinceBoot >= 0) {
      return "published " + words(Duration.ofNanos(sinceBoot)) + " ago";
    }
    return sinceEpoch >= 0
        ? "published " + words(Duration.ofNanos(sinceEpoch)) + " ago"
        : "published at " + publishedAtNs + " ns";
  }

  private static String words(Duration duration) {
    if (duration.toHours() > 0) {
      return duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
    return duration.toMinutes() > 0
        ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
        : duration.toSeconds() + " s";
  }
}
