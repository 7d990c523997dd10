/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The frame that requests of OTLP have in common, whatever they carry: what belongs to one resource
 * stands together, below one scope, in the order in which it came.
 */
public final class ResourceFrame {
  /** Fields that have the same numbers in the requests of traces and of logs. */
  private static final class Field {
    static final int OF_RESOURCE = 1;
    static final int RESOURCE = 1;
    static final int RESOURCE_ATTRIBUTES = 1;
    static final int OF_SCOPE = 2;
    static final int SCOPE = 1;
    static final int SCOPE_NAME = 1;
  }

  private ResourceFrame() {}

  /**
   * Writes a whole request.
   *
   * @param resourceOf elements with the same object here stand together
   * @param write writes an element as a field of the message of its scope
   */
  public static <T> void write(
      ProtobufEncoder out,
      String scope,
      List<T> elements,
      Function<T, Resource> resourceOf,
      Consumer<T> write) {
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
      int ofResource = out.beginMessage(Field.OF_RESOURCE);
      write(out, resource);
      int ofScope = out.beginMessage(Field.OF_SCOPE);
      int message = out.beginMessage(Field.SCOPE);
      out.writeString(Field.SCOPE_NAME, scope);
      out.endMessage(message);
      groups.getOrDefault(resource, List.of()).forEach(write);
      out.endMessage(ofScope);
      out.endMessage(ofResource);
    }
  }

  private static void write(ProtobufEncoder out, Resource resource) {
    int message = out.beginMessage(Field.RESOURCE);
    resource
        .attributes()
        .forEach(
            (key, value) -> {
              if (!key.equals(Resource.SPAN_SOURCE)) {
                AttributeMessages.write(out, Field.RESOURCE_ATTRIBUTES, key, value);
              }
            });
    out.endMessage(message);
  }
}
