/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The types of events that a chunk may hold, and their fields. */
public final class EventTypes {
  private final JfrTypes types;

  EventTypes(JfrTypes types) {
    this.types = types;
  }

  /** The full names, such as {@code jdk.ExecutionSample}. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (JfrType type : types.all()) {
      if (type.isEvent()) {
        names.add(type.name());
      }
    }
    return Collections.unmodifiableSet(names);
  }

  /** The name of the event type that settings refer to by its number; null if there is none. */
  public @Nullable String name(long id) {
    @Nullable JfrType type = types.byId(id);
    return type != null && type.isEvent() ? type.name() : null;
  }

  public boolean has(String event) {
    return types.byName(event).stream().anyMatch(JfrType::isEvent);
  }

  public boolean has(String event, String field) {
    return types.byName(event).stream().anyMatch(t -> t.isEvent() && t.field(field) != null);
  }

  /** The fields of an event, none if there is no such event. */
  public Set<String> fields(String event) {
    Set<String> fields = new TreeSet<>();
    for (JfrType type : types.byName(event)) {
      if (type.isEvent()) {
        type.fields().forEach(field -> fields.add(field.name()));
      }
    }
    return Collections.unmodifiableSet(fields);
  }
}
