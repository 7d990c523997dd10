/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.correlation.record.Severity;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.otlp.AttributeValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is known of a line while it is read. */
final class Draft {
  /** More than any logger writes on purpose; the rest is left out. */
  static final int MOST_ATTRIBUTES = 128;

  /** The largest process or thread id of Linux. */
  private static final long LARGEST_ID = 1 << 22;

  final Names names;
  final Ids ids = new Ids();
  long time;
  int pid;
  int tid;
  private Severity severity = Severity.UNSPECIFIED;
  private @Nullable String severityText;
  private byte @Nullable [] body;
  private @Nullable Map<String, AttributeValue> attributes;

  Draft(Names names) {
    this.names = names;
  }

  void clear() {
    ids.clear();
    time = 0;
    pid = 0;
    tid = 0;
    severity = Severity.UNSPECIFIED;
    severityText = null;
    body = null;
    attributes = null;
  }

  void level(@Nullable Level level) {
    if (level != null) {
      severity = level.severity();
      severityText = level.word();
    }
  }

  boolean hasLevel() {
    return severityText != null;
  }

  void body(byte[] bytes, int from, int to) {
    body = Arrays.copyOfRange(bytes, from, to);
  }

  /** Adds the lines that follow. */
  void appendToBody(byte[] bytes, int from, int to) {
    byte[] before = body;
    int length = before == null ? 0 : before.length;
    byte[] all = new byte[length + to - from];
    if (before != null) {
      System.arraycopy(before, 0, all, 0, length);
    }
    System.arraycopy(bytes, from, all, length, to - from);
    body = all;
  }

  boolean hasBody() {
    return body != null;
  }

  void pid(long id) {
    if (pid == 0 && id > 0 && id <= LARGEST_ID) {
      pid = (int) id;
    }
  }

  void tid(long id) {
    if (tid == 0 && id > 0 && id <= LARGEST_ID) {
      tid = (int) id;
    }
  }

  void put(String name, AttributeValue value) {
    Map<String, AttributeValue> all = attributes;
    if (all == null) {
      all = new LinkedHashMap<>();
      attributes = all;
    }
    if (all.size() < MOST_ATTRIBUTES || all.containsKey(name)) {
      all.put(name, value);
    }
  }

  /** A value that comes again with many lines. */
  void putName(String name, byte[] bytes, int from, int to) {
    put(name, names.of(bytes, from, to).value());
  }

  void putText(String name, byte[] bytes, int from, int to) {
    put(name, AttributeValue.of(new String(bytes, from, to - from, StandardCharsets.UTF_8)));
  }

  void remove(String name) {
    if (attributes != null) {
      attributes.remove(name);
    }
  }

  boolean has(String name) {
    return attributes != null && attributes.containsKey(name);
  }

  /** Renames an attribute that turned out to be something else. */
  void rename(String from, String to) {
    Map<String, AttributeValue> all = attributes;
    AttributeValue value = all == null ? null : all.remove(from);
    if (value != null) {
      put(to, value);
    }
  }

  Parsed finish() {
    @Nullable SpanContext span = ids.span();
    Map<String, AttributeValue> all = attributes;
    if (span != null && all != null) {
      ids.names().forEach(all::remove);
    }
    byte[] text = body;
    return new Parsed(
        time,
        severity,
        severityText,
        text == null ? new byte[0] : text,
        all == null ? Map.of() : all,
        pid,
        tid,
        span);
  }
}
