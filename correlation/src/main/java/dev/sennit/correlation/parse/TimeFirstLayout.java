/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

/**
 * A time, then whatever a pattern has: Logback, Log4j 2, Spring Boot, Tomcat, WildFly, Python's
 * {@code logging}, loguru, Go's {@code log} and {@code slog}, zap's console.
 */
final class TimeFirstLayout implements Layout {
  private final Head head;
  private final Json json;

  TimeFirstLayout(Head head, Json json) {
    this.head = head;
    this.json = json;
  }

  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    if (!line.timed || (line.timeEnd < line.end && !isJoint(bytes[line.timeEnd]))) {
      return false;
    }
    draft.time = line.time;
    int body = head.read(bytes, line.timeEnd, line.end);
    int to = fieldsBehind(line, body);
    if (to < 0) {
      draft.clear();
      draft.time = line.time;
      head.read(bytes, line.timeEnd, line.end);
      to = line.to;
    }
    Mentions.find(bytes, body, Math.min(to, line.end), draft);
    draft.body(bytes, body, to);
    return true;
  }

  private static boolean isJoint(byte c) {
    return Ascii.isBlank(c) || c == '[' || c == '|' || c == ':' || c == ';' || c == ',';
  }

  /**
   * zap's console puts the fields behind the message, after a tab, as JSON. The result is where the
   * message ends, or -1 if it only looked like that.
   */
  private int fieldsBehind(Line line, int body) {
    byte[] bytes = line.bytes;
    if (line.end != line.to || line.end == body || bytes[line.end - 1] != '}') {
      return line.to;
    }
    for (int tab = Ascii.find(bytes, body, line.end, '\t');
        tab >= 0;
        tab = Ascii.find(bytes, tab + 1, line.end, '\t')) {
      if (bytes[tab + 1] == '{') {
        return json.fields(bytes, tab + 1, line.end, line.written) ? tab : -1;
      }
    }
    return line.to;
  }
}
