/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** What OTLP puts under one resource stands together there, in the order in which it came. */
public final class ByResource {
  private ByResource() {}

  /** Calls {@code group} with the elements of each resource; the same means the same object. */
  public static <T> void forEach(
      List<T> elements, Function<T, Resource> resourceOf, BiConsumer<Resource, List<T>> group) {
    IdentityHashMap<Resource, List<T>> groups = new IdentityHashMap<>();
    List<Resource> order = new ArrayList<>();
    for (T element : elements) {
      groups
          .computeIfAbsent(
              resourceOf.apply(element),
              fresh -> {
                order.add(fresh);
                return new ArrayList<>();
              })
          .add(element);
    }
    for (Resource resource : order) {
      group.accept(resource, groups.getOrDefault(resource, List.of()));
    }
  }
}
