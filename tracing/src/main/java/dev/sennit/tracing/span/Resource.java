/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

import dev.sennit.otlp.AttributeValue;
import java.util.Map;

/**
 * Who a process is. Spans of one process share one object, by which exporters group them.
 *
 * @param service the value of {@code service.name}
 */
public record Resource(String service, Map<String, AttributeValue> attributes) {
  public Resource {
    attributes = Map.copyOf(attributes);
  }
}
