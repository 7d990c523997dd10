/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.TraceFilter;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.ViewException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which traces a question names, by the same parameters that the address of the page has. */
final class TraceFilters {
  private static final Pattern DURATION =
      Pattern.compile("\\s*([0-9]{1,15}(?:\\.[0-9]{1,15})?)\\s*(ns|us|µs|μs|ms|s|min|m|h)?\\s*");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "min", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  private static final Map<String, String> STATUSES =
      Map.of("error", "ERROR", "ok", "OK", "unset", "UNSET");

  private final Ranges ranges;

  TraceFilters(Ranges ranges) {
    this.ranges = ranges;
  }

  TraceFilter of(Query query) throws ViewException {
    @Nullable Long min = duration(query, "min");
    @Nullable Long max = duration(query, "max");
    if (min != null && max != null && min > max) {
      throw ViewException.wrong(
          "min is " + query.text("min").orElse("") + ", but must not be more than max");
    }
    @Nullable String attribute = query.text("attribute").orElse(null);
    int equals = attribute == null ? -1 : attribute.indexOf('=');
    @Nullable String key =
        attribute == null || equals < 0 ? attribute : attribute.substring(0, equals);
    @Nullable String value =
        attribute == null || equals < 0 ? null : attribute.substring(equals + 1);
    if (key != null && key.isBlank()) {
      throw ViewException.wrong("attribute is " + attribute + ", but must be key or key=value");
    }
    return TraceFilter.in(ranges.of(query))
        .service(query.text("service").orElse(null))
        .operation(query.text("operation").orElse(null))
        .duration(min, max)
        .status(status(query))
        .attribute(key == null ? null : key.strip(), value == null ? null : value.strip())
        .text(query.text("text").orElse(null));
  }

  private static @Nullable String status(Query query) throws ViewException {
    Optional<String> text = query.text("status");
    if (text.isEmpty()) {
      return null;
    }
    @Nullable String status = STATUSES.get(text.get().toLowerCase(Locale.ROOT));
    if (status == null) {
      throw ViewException.wrong("status is " + text.get() + ", but must be error, ok or unset");
    }
    return status;
  }

  /** In nanoseconds; without a unit it is in milliseconds. */
  private static @Nullable Long duration(Query query, String name) throws ViewException {
    Optional<String> text = query.text(name);
    if (text.isEmpty()) {
      return null;
    }
    Matcher matcher = DURATION.matcher(text.get());
    if (!matcher.matches()) {
      throw ViewException.wrong(
          name + " is " + text.get() + ", but must be a duration such as 250ms, 1.5s or 2min");
    }
    long unit = NANOS.getOrDefault(Optional.ofNullable(matcher.group(2)).orElse("ms"), 1L);
    BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    return nanos.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
  }
}
