/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.LogFilter;
import dev.sennit.store.query.TimeRange;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.ViewException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines that a question names. */
final class LogFilters {
  /** Each stands for four numbers of OpenTelemetry's scale, which begins with 1. */
  private static final List<String> SEVERITIES =
      List.of("trace", "debug", "info", "warn", "error", "fatal");

  private static final Pattern TRACE = Pattern.compile("[0-9a-fA-F]{32}");
  private static final Pattern SPAN = Pattern.compile("[0-9a-fA-F]{16}");

  private final Ranges ranges;

  LogFilters(Clock clock) {
    this.ranges = new Ranges(clock);
  }

  /** In the range that is named; lines of a trace at any time, unless one is named. */
  LogFilter of(Query query) throws ViewException {
    return anyTime(query).range(range(query));
  }

  /** Whatever range is named. */
  LogFilter anyTime(Query query) throws ViewException {
    @Nullable String attribute = query.text("attribute").orElse(null);
    @Nullable String key = attribute;
    @Nullable String value = null;
    if (attribute != null && attribute.indexOf('=') >= 0) {
      key = attribute.substring(0, attribute.indexOf('=')).strip();
      value = attribute.substring(attribute.indexOf('=') + 1).strip();
      if (key.isEmpty()) {
        throw ViewException.wrong("attribute is " + attribute + ", but must be key=value or key");
      }
    }
    return LogFilter.in(TimeRange.ALL)
        .service(query.text("service").orElse(null))
        .minSeverity(severity(query))
        .text(query.text("text").orElse(null))
        .thread(query.text("thread").orElse(null))
        .attribute(key, value)
        .of(id(query, "trace", TRACE), id(query, "span", SPAN));
  }

  TimeRange range(Query query) throws ViewException {
    boolean named =
        query.text("from").isPresent()
            || query.text("to").isPresent()
            || query.text("last").isPresent();
    return query.text("trace").isPresent() && !named ? TimeRange.ALL : ranges.of(query);
  }

  private static @Nullable Integer severity(Query query) throws ViewException {
    Optional<String> word = query.text("severity");
    if (word.isEmpty()) {
      return null;
    }
    int place = SEVERITIES.indexOf(word.get().toLowerCase(Locale.ROOT));
    if (place < 0) {
      throw ViewException.wrong(
          "severity is " + word.get() + ", but must be one of " + String.join(", ", SEVERITIES));
    }
    return place * 4 + 1;
  }

  private static @Nullable String id(Query query, String name, Pattern pattern)
      throws ViewException {
    Optional<String> id = query.text(name);
    if (id.isPresent() && !pattern.matcher(id.get()).matches()) {
      throw ViewException.wrong(name + " is " + id.get() + ", which is no id of a " + name);
    }
    return id.map(text -> text.toLowerCase(Locale.ROOT)).orElse(null);
  }
}
