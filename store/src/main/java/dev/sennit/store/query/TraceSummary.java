/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.query;

import java.util.List;

/**
 * A trace in a list.
 *
 * @param start when its first span started, in nanoseconds since 1970
 * @param duration from there to the end of its last span, in nanoseconds
 * @param rootService of the span without a parent, or of the first span where there is none
 * @param errors how many of its spans failed
 * @param services in the order of their names
 */
public record TraceSummary(
    String traceId,
    long start,
    long duration,
    String rootService,
    String rootName,
    long spans,
    long errors,
    List<String> services) {
  public TraceSummary {
    services = List.copyOf(services);
  }
}
