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
  /** Who reports the spans of the process. Told among Sennit's own parts, and never sent. */
  public static final String SPAN_SOURCE = "sennit.span_source";

  private static final AttributeValue SDK = AttributeValue.of("sdk");

  public Resource {
    attributes = Map.copyOf(attributes);
  }

  /** Whether an SDK in the process reports its spans itself. */
  public boolean isReportedBySdk() {
    return SDK.equals(attributes.get(SPAN_SOURCE));
  }
}
