/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import static dev.sennit.correlation.parse.Ascii.wordEnd;

import dev.sennit.otlp.AttributeValue;

/**
 * Syslog as it is sent (RFC 3164 and RFC 5424), and as it stands in files, without the number in
 * front.
 */
final class SyslogLayout implements Layout {
  private static final int HIGHEST_PRIORITY = 191;
  private static final int LONGEST_TAG = 128;

  private final QuotedText quoted = new QuotedText();

  @Override
  public boolean read(Line line, Draft draft) {
    byte[] bytes = line.bytes;
    if (bytes[line.from] != '<') {
      boolean classic = line.timed && Ascii.isLetter(bytes[line.from]);
      draft.time = line.time;
      return line.timed && classic(line, draft, line.timeEnd, !classic);
    }
    int close = Ascii.digitsEnd(bytes, line.from + 1, Math.min(line.end, line.from + 4));
    long priority = Ascii.number(bytes, line.from + 1, close);
    if (priority < 0 || priority > HIGHEST_PRIORITY || close >= line.end || bytes[close] != '>') {
      return false;
    }
    draft.level(Level.ofSyslog((int) priority & 7));
    draft.put("log.syslog.facility.code", AttributeValue.of(priority >> 3));
    if (Ascii.startsWith(bytes, close + 1, line.end, "1 ")) {
      return structured(line, draft, close + 3);
    }
    if (line.times.read(bytes, close + 1, line.end, line.written)) {
      draft.time = line.times.nanos;
      return classic(line, draft, line.times.end, false);
    }
    draft.body(bytes, tag(line, draft, close + 1, false), line.to);
    return true;
  }

  /** {@code HOST TAG[PID]: MESSAGE}, of RFC 3164 section 4.1. */
  private boolean classic(Line line, Draft draft, int from, boolean strict) {
    byte[] bytes = line.bytes;
    if (from >= line.end || bytes[from] != ' ') {
      return false;
    }
    int host = from + 1;
    int hostEnd = wordEnd(bytes, host, line.end);
    if (hostEnd == host || hostEnd >= line.end || !isHost(bytes, host, hostEnd)) {
      return false;
    }
    int message = tag(line, draft, hostEnd + 1, strict);
    boolean tagged = message > hostEnd + 1;
    if (message < 0 || (!tagged && bytes[line.from] != '<')) {
      return false;
    }
    draft.putName("log.syslog.hostname", bytes, host, hostEnd);
    Mentions.find(bytes, message, line.end, draft);
    draft.body(bytes, message, line.to);
    return true;
  }

  private static boolean isHost(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!Ascii.isNamePart(bytes[i]) && bytes[i] != ':') {
        return false;
      }
    }
    return bytes[to - 1] != ':' && Level.of(bytes, from, to) == null;
  }

  /**
   * Reads {@code TAG[PID]:}; the result is where the message begins. Without a tag that is here, or
   * -1 where others also put a word and a colon and only the id tells who it was.
   */
  private static int tag(Line line, Draft draft, int from, boolean strict) {
    byte[] bytes = line.bytes;
    int limit = Math.min(line.end, from + LONGEST_TAG);
    int at = from;
    while (at < limit
        && (Ascii.isNamePart(bytes[at])
            || bytes[at] == '/'
            || bytes[at] == '('
            || bytes[at] == ')')) {
      at++;
    }
    int end = at;
    long pid = -1;
    if (at > from && at < limit && bytes[at] == '[') {
      int close = Ascii.digitsEnd(bytes, at + 1, limit);
      if (close < limit && bytes[close] == ']') {
        pid = Ascii.number(bytes, at + 1, close);
        at = close + 1;
      }
    }
    if (end == from || at >= limit || bytes[at] != ':' || (strict && pid < 0)) {
      return strict ? -1 : from;
    }
    draft.putName("log.syslog.appname", bytes, from, end);
    draft.pid(pid);
    return at + 1 < line.end && bytes[at + 1] == ' ' ? at + 2 : at + 1;
  }

  /** What follows the version, of RFC 5424 section 6. */
  private boolean structured(Line line, Draft draft, int from) {
    byte[] bytes = line.bytes;
    int at = wordEnd(bytes, from, line.end);
    if (line.times.read(bytes, from, at, line.written) && line.times.end == at) {
      draft.time = line.times.nanos;
    }
    at = word(line, draft, "log.syslog.hostname", at);
    at = word(line, draft, "log.syslog.appname", at);
    int process = Math.min(line.end, at + 1);
    at = wordEnd(bytes, process, line.end);
    long pid = Ascii.number(bytes, process, at);
    if (pid > 0) {
      draft.pid(pid);
    } else if (at > process && bytes[process] != '-') {
      draft.putName("log.syslog.procid", bytes, process, at);
    }
    at = word(line, draft, "log.syslog.msgid", at);
    if (at + 1 >= line.end) {
      return false;
    }
    int data = data(line, draft, at + 1);
    if (data < 0) {
      return false;
    }
    int message = data < line.end && bytes[data] == ' ' ? data + 1 : data;
    if (line.end - message >= 3
        && bytes[message] == (byte) 0xEF
        && bytes[message + 1] == (byte) 0xBB) {
      message += 3; // the mark that it is UTF-8
    }
    Mentions.find(bytes, message, line.end, draft);
    draft.body(bytes, Math.min(message, line.to), line.to);
    return true;
  }

  private static int word(Line line, Draft draft, String name, int blank) {
    int from = Math.min(line.end, blank + 1);
    int to = wordEnd(line.bytes, from, line.end);
    if (to > from && (to > from + 1 || line.bytes[from] != '-')) {
      draft.putName(name, line.bytes, from, to);
    }
    return to;
  }

  private int data(Line line, Draft draft, int from) {
    byte[] bytes = line.bytes;
    if (bytes[from] == '-') {
      return from + 1;
    }
    int at = from;
    while (at < line.end && bytes[at] == '[') {
      at = element(line, draft, at + 1);
      if (at < 0) {
        return -1;
      }
    }
    return at > from ? at : -1;
  }

  /** {@code ID NAME="VALUE" …]}; the result is behind the bracket, or -1. */
  private int element(Line line, Draft draft, int from) {
    byte[] bytes = line.bytes;
    int at = from;
    while (at < line.end && bytes[at] != ' ' && bytes[at] != ']') {
      at++;
    }
    String id = draft.names.of(bytes, from, at).text();
    while (at < line.end && bytes[at] == ' ') {
      int name = at + 1;
      int equals = Ascii.find(bytes, name, line.end, '=');
      if (equals < 0 || equals + 1 >= line.end || bytes[equals + 1] != '"') {
        return -1;
      }
      at = quoted.read(bytes, equals + 2, line.end);
      if (at < 0) {
        return -1;
      }
      String key = draft.names.of(bytes, name, equals).text();
      draft.putText(
          "log.syslog.structured_data." + id + "." + key, quoted.bytes, quoted.from, quoted.to);
    }
    return at < line.end && bytes[at] == ']' ? at + 1 : -1;
  }
}
