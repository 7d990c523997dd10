/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types of a chunk, by number and by name. */
final class JfrTypes {
  private final Map<Long, JfrType> byId = new HashMap<>();

  /** A name may stand for several types: an event class in two class loaders. */
  private final Map<String, List<JfrType>> byName = new HashMap<>();

  void add(JfrType type) {
    if (byId.putIfAbsent(type.id(), type) == null) {
      byName.computeIfAbsent(type.name(), name -> new ArrayList<>()).add(type);
    }
  }

  @Nullable JfrType byId(long id) {
    return byId.get(id);
  }

  List<JfrType> byName(String name) {
    return byName.getOrDefault(name, List.of());
  }

  Collection<JfrType> all() {
    return byId.values();
  }
}
