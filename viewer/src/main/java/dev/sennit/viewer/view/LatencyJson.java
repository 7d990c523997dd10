/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.sennit.store.query.Latency;
import java.io.IOException;

/** Latencies as members of an object. */
final class LatencyJson {
  private LatencyJson() {}

  static void write(Latency latency, JsonGenerator out) throws IOException {
    out.writeNumberField("p50", latency.p50());
    out.writeNumberField("p95", latency.p95());
    out.writeNumberField("p99", latency.p99());
  }
}
