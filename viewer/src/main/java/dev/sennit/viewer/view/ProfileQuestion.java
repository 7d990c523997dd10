/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import dev.sennit.store.query.ProfileFilter;
import dev.sennit.store.query.TimeRange;
import dev.sennit.viewer.web.Query;
import dev.sennit.viewer.web.ViewException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which samples a question is about. A trace is looked for at all times, unless one is named: who
 * has its id may come late.
 */
final class ProfileQuestion {
  private static final Pattern TRACE = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern SPAN = Pattern.compile("[0-9a-f]{16}");

  private final Ranges ranges;

  ProfileQuestion(Ranges ranges) {
    this.ranges = ranges;
  }

  /** By type, service, trace, span, name (of spans), thread and time. */
  ProfileFilter filter(Query query) throws ViewException {
    return ProfileFilter.within(range(query))
        .type(query.text("type").orElse(null))
        .service(query.text("service").orElse(null))
        .in(id(query, "trace", TRACE, 32), id(query, "span", SPAN, 16))
        .spanName(query.text("name").orElse(null))
        .thread(query.text("thread").orElse(null));
  }

  /** The same where nothing can be said without a type. */
  ProfileFilter filterOfType(Query query) throws ViewException {
    ProfileFilter filter = filter(query);
    if (filter.type() == null) {
      throw ViewException.wrong("type is missing; profile-types tells which there are");
    }
    return filter;
  }

  private TimeRange range(Query query) throws ViewException {
    for (String name : new String[] {"from", "to", "last"}) {
      if (query.text(name).isPresent()) {
        return ranges.of(query);
      }
    }
    return query.text("trace").isPresent() ? TimeRange.ALL : ranges.of(query);
  }

  private static @Nullable String id(Query query, String name, Pattern form, int digits)
      throws ViewException {
    @Nullable String id = query.text(name).orElse(null);
    if (id != null && !form.matcher(id).matches()) {
      throw ViewException.wrong(
          name + " is " + id + ", but must have " + digits + " digits of 0 to 9 and a to f");
    }
    return id;
  }
}
