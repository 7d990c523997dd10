/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import java.util.Map;

/**
 * Who a process is. Spans and log records of one process share one object, by which exporters group
 * them.
 *
 * @param service the value of {@code service.name}
 */
public record Resource(String service, Map<String, AttributeValue> attributes) {
  public Resource {
    attributes = Map.copyOf(attributes);
  }
}
