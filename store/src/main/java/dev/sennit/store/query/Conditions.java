/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The conditions of a statement, all of which must hold, with their parameters in order. */
final class Conditions {
  /** What stands in JSON as it is. */
  private static final Pattern AS_IT_IS = Pattern.compile("[0-9A-Za-z_.:/@ -]+");

  /** A number that may be written in more than one way. */
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]*[.eE][-0-9.eE]*");

  private static final Pattern ASCII = Pattern.compile("[ -~]{1,100}");

  private final List<String> conditions = new ArrayList<>();
  private final List<Object> parameters = new ArrayList<>();

  /** Adds a condition, unless its parameter is absent. */
  Conditions and(String condition, @Nullable Object parameter) {
    if (parameter != null) {
      andAll(condition, parameter);
    }
    return this;
  }

  Conditions andAll(String condition, Object... all) {
    conditions.add(condition);
    parameters.addAll(List.of(all));
    return this;
  }

  Conditions within(String column, TimeRange range) {
    if (range.equals(TimeRange.ALL)) {
      return this;
    }
    // The column stands alone, so that groups of rows outside of the range are not even read.
    return andAll(
        column + " >= make_timestamp_ns(?) AND " + column + " < make_timestamp_ns(?)",
        range.from(),
        range.to());
  }

  /** Attribute of that key has that value; any value if it is null. */
  Conditions attribute(@Nullable String key, @Nullable String value) {
    if (key == null) {
      return this;
    }
    // As a pointer, for dots and dollars in a path would mean something.
    String pointer = "/" + key.replace("~", "~0").replace("/", "~1");
    // Most rows need not be parsed: what is written as it is must be found in their text.
    if (value == null) {
      if (AS_IT_IS.matcher(key).matches()) {
        andAll("contains(attributes, ?)", '"' + key + '"');
      }
      return andAll("json_exists(attributes, ?)", pointer);
    }
    if (AS_IT_IS.matcher(value).matches() && !NUMBER.matcher(value).matches()) {
      andAll("contains(attributes, ?)", value);
    }
    return andAll("attributes ->> ? = ?", pointer, value);
  }

  /** One of the columns or the attributes contain the text, in whatever case. */
  Conditions contains(@Nullable String text, String... columns) {
    if (text == null || text.isEmpty()) {
      return this;
    }
    List<String> any = new ArrayList<>();
    for (String column : columns) {
      any.add("contains(lower(" + column + "), lower(?))");
      parameters.add(text);
    }
    // In long text this takes half the time; but not where letters have more than one byte.
    any.add(
        ASCII.matcher(text).matches()
            ? "regexp_matches(attributes, ?, 'il')"
            : "contains(lower(attributes), lower(?))");
    parameters.add(text);
    conditions.add("(" + String.join(" OR ", any) + ")");
    return this;
  }

  String where() {
    return conditions.isEmpty() ? "true" : String.join(" AND ", conditions);
  }

  List<Object> parameters() {
    return parameters;
  }
}
