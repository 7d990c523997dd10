/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import dev.sennit.context.ContextLog;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.process.ProcessContextCodec;
import dev.sennit.context.process.ProcessContextPublisher;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Publishes the resource of an SDK as that of the process. */
final class ProcessResource {
  /** Command lines may hold secrets. */
  private static final Set<String> NOT_FOR_OTHERS =
      Set.of("process.command", "process.command_args", "process.command_line");

  /** Others add to the record where thread records are, and the names of their attributes. */
  private static final int ROOM_FOR_OTHERS = 8 * 1024;

  private static final int ROOM = ProcessContextPublisher.MAX_PAYLOAD - ROOM_FOR_OTHERS;

  private ProcessResource() {}

  /**
   * Publishes it.
   *
   * @param hasSpans whether the SDK makes spans
   */
  static void publish(Resource resource, boolean hasSpans) {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>();
    resource
        .getAttributes()
        .forEach((key, value) -> attributes.put(key.getKey(), attribute(value)));
    attributes.keySet().removeAll(NOT_FOR_OTHERS);
    List<String> omitted = omitLargest(attributes);
    if (!omitted.isEmpty()) {
      ContextLog.warn(
          "readers outside take no more than "
              + ROOM
              + " bytes of a resource; it is made known without "
              + String.join(", ", omitted));
    }
    ProcessContext.Builder context = ProcessContext.builder();
    attributes.forEach(context::resource);
    if (hasSpans) {
      // Who makes spans of the bytes of this process can tell that the SDK makes them already.
      context.attribute("sennit.span_source", AttributeValue.of("sdk"));
    }
    ProcessContextPublisher.publish(context.build());
  }

  /** Takes out what is largest, but not who the service is, until readers take the rest. */
  private static List<String> omitLargest(Map<String, AttributeValue> attributes) {
    List<String> omitted = new ArrayList<>();
    while (size(attributes) > ROOM) {
      @Nullable String largest = largest(attributes);
      if (largest == null) {
        break;
      }
      attributes.remove(largest);
      omitted.add(largest);
    }
    return omitted;
  }

  private static @Nullable String largest(Map<String, AttributeValue> attributes) {
    return attributes.keySet().stream()
        .filter(key -> !key.startsWith("service.") && !key.startsWith("telemetry."))
        .max(Comparator.comparingInt(key -> size(Map.of(key, attributes.get(key)))))
        .orElse(null);
  }

  private static int size(Map<String, AttributeValue> attributes) {
    return ProcessContextCodec.encode(new ProcessContext(attributes, Map.of())).length;
  }

  private static AttributeValue attribute(Object value) {
    return switch (value) {
      case Boolean flag -> AttributeValue.of(flag);
      case Long whole -> AttributeValue.of(whole);
      case Double real -> AttributeValue.of(real);
      case List<?> list ->
          AttributeValue.of(list.stream().map(ProcessResource::attribute).toList());
      default -> AttributeValue.of(value.toString());
    };
  }
}
