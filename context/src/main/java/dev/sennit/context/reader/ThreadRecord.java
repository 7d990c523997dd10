/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one thread of another process was doing when its record was read.
 *
 * @param tid as this PID namespace numbers it
 * @param name of the thread; empty when it ended meanwhile
 * @param rootSpanId the local root; {@code traceIdLow} where the record has no other
 * @param flags W3C trace flags
 */
public record ThreadRecord(
    int tid,
    String name,
    long traceIdHigh,
    long traceIdLow,
    long spanId,
    long rootSpanId,
    int flags,
    Map<String, String> attributes) {

  public ThreadRecord {
    attributes =
        attributes.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }
}
