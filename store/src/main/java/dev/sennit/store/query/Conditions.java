/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conditions of a statement, all of which must hold, with their parameters in order. */
final class Conditions {
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
    return value == null
        ? andAll("json_exists(attributes, ?)", pointer)
        : andAll("attributes ->> ? = ?", pointer, value);
  }

  /** One of the columns contains the text, in whatever case. */
  Conditions contains(@Nullable String text, String... columns) {
    if (text == null || text.isEmpty()) {
      return this;
    }
    List<String> any = new ArrayList<>();
    for (String column : columns) {
      any.add("contains(lower(" + column + "), lower(?))");
      parameters.add(text);
    }
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
