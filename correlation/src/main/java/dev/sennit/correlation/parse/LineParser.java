/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.otlp.AttributeValue;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;

/**
 * Understands lines: JSON, syslog, the layouts of common loggers, and plain text. It never throws;
 * what it does not understand is the message. Not for use by several threads at the same time.
 */
public final class LineParser {
  private final Names names = new Names();
  private final Draft draft = new Draft(names);
  private final Line line;
  private final Beginnings beginnings;
  private final Layout json;
  private final Layout syslog = new SyslogLayout();
  private final Layout bracket;
  private final Layout access = new AccessLayout();
  private final Layout[] timed;
  private final Layout[] worded;

  /** For lines of this host: a time without a zone is in the zone of this JVM. */
  public LineParser() {
    this(ZoneId.systemDefault());
  }

  LineParser(ZoneId zone) {
    Times times = new Times(new Calendar(zone));
    line = new Line(times);
    beginnings = new Beginnings(times);
    Head head = new Head(draft);
    Fields fields = new Fields(draft, times);
    Json reader = new Json(fields, names);
    json = new JsonLayout(reader);
    bracket = new BracketLayout(head);
    timed =
        new Layout[] {
          new JulLayout(),
          syslog,
          new PostgresLayout(),
          new NginxErrorLayout(),
          new Log4jStatusLayout(),
          new TimeFirstLayout(head, reader)
        };
    worded =
        new Layout[] {
          new KlogLayout(), new LevelFirstLayout(head), new LogfmtLayout(fields), access
        };
  }

  /**
   * Whether a record begins with this line, in a layout that has a clear beginning: a time, a
   * severity, the head of syslog, or the brace of JSON. False of a line of plain text, which may
   * also belong to the record above it. It is asked of every line in its order, for the second line
   * of a record may look like the first of another.
   */
  public boolean begins(byte[] bytes, int from, int to) {
    return beginnings.begins(bytes, from, to);
  }

  /**
   * Understands a record.
   *
   * @param bytes the record, with the lines that follow its first, without the end of the last one
   * @param written when it was written, in nanoseconds since 1970: what a line leaves out of its
   *     time, such as the year, is taken from it
   */
  public Parsed parse(byte[] bytes, int from, int to, long written) {
    byte[] text = bytes;
    int begin = from;
    int end = to;
    if (Ascii.find(bytes, from, to, Colours.ESCAPE) >= 0) {
      text = Colours.strip(bytes, from, to);
      begin = 0;
      end = text.length;
    }
    if (end > begin && text[end - 1] == '\r') {
      end--;
    }
    line.set(text, begin, end, written);
    draft.clear();
    if (begin == end || !understood(text[begin])) {
      draft.clear();
      Mentions.find(text, begin, line.end, draft);
      draft.body(text, begin, end);
    }
    if (line.end < end && !draft.has("exception.stacktrace")) {
      stackTrace(text, begin, end);
    }
    Parsed parsed = draft.finish();
    line.clear();
    return parsed;
  }

  private boolean understood(byte first) {
    return switch (first) {
      case '{' -> is(json);
      case '<' -> is(syslog);
      case '[' -> is(bracket);
      default -> {
        for (Layout layout : line.timed ? timed : worded) {
          if (is(layout)) {
            yield true;
          }
        }
        yield line.timed && is(access);
      }
    };
  }

  private boolean is(Layout layout) {
    boolean is = layout.read(line, draft);
    if (!is) {
      draft.clear();
    }
    return is;
  }

  /** Of lines that follow the first; the first itself only where it is the trace already. */
  private void stackTrace(byte[] text, int begin, int end) {
    int trace = StackTraces.find(text, line.end + 1, end, draft);
    if (trace < 0) {
      trace = StackTraces.find(text, begin, end, draft);
    }
    if (trace >= 0) {
      draft.put(
          "exception.stacktrace",
          AttributeValue.of(new String(text, trace, end - trace, StandardCharsets.UTF_8)));
    }
  }
}
