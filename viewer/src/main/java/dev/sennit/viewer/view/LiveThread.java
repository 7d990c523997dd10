/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A thread that is in a span.
 *
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 */
public record LiveThread(
    long tid, String name, String traceId, String spanId, Map<String, String> attributes) {

  public LiveThread {
    attributes =
        attributes.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }
}
