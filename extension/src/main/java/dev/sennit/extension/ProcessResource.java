/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.process.ProcessContextPublisher;
import io.opentelemetry.sdk.resources.Resource;
import java.util.List;

/** Publishes the resource of an SDK as that of the process. */
final class ProcessResource {
  private ProcessResource() {}

  /**
   * Publishes it.
   *
   * @param hasSpans whether the SDK makes spans
   */
  static void publish(Resource resource, boolean hasSpans) {
    ProcessContext.Builder context = ProcessContext.builder();
    resource
        .getAttributes()
        .forEach((key, value) -> context.resource(key.getKey(), attribute(value)));
    if (hasSpans) {
      // Who makes spans of the bytes of this process can tell that the SDK makes them already.
      context.attribute("sennit.span_source", AttributeValue.of("sdk"));
    }
    ProcessContextPublisher.publish(context.build());
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
