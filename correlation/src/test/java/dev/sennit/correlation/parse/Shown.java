/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.correlation.record.SpanContext;
import dev.sennit.otlp.AttributeValue;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the parser made of a line, as lines that a test can compare. */
final class Shown {
  private Shown() {}

  static List<String> of(Parsed parsed) {
    List<String> shown = new ArrayList<>();
    if (parsed.time() != 0) {
      shown.add("time " + Instant.ofEpochSecond(0, parsed.time()));
    }
    if (parsed.severityText() != null) {
      shown.add("level " + parsed.severity() + " " + parsed.severityText());
    }
    if (parsed.pid() != 0) {
      shown.add("pid " + parsed.pid());
    }
    if (parsed.tid() != 0) {
      shown.add("tid " + parsed.tid());
    }
    @Nullable SpanContext span = parsed.span();
    if (span != null) {
      shown.add("span " + span.traceparent());
    }
    new TreeMap<>(parsed.attributes())
        .forEach((name, value) -> shown.add("@" + name + " " + oneLine(text(value))));
    shown.add("body " + oneLine(new String(parsed.body(), StandardCharsets.UTF_8)));
    return shown;
  }

  static String text(AttributeValue value) {
    return switch (value) {
      case AttributeValue.Text(String text) -> text;
      case AttributeValue.Whole(long number) -> number + " (whole)";
      case AttributeValue.Real(double number) -> number + " (real)";
      case AttributeValue.Flag(boolean flag) -> flag + " (flag)";
      case AttributeValue.Array(List<AttributeValue> values) ->
          values.stream().map(Shown::text).toList().toString();
    };
  }

  private static String oneLine(String text) {
    return text.replace("\n", "\\n").replace("\t", "\\t");
  }
}
