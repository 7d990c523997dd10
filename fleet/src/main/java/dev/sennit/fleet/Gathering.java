/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Spans that become requests again, by resource and scope, each with all that it came with. A
 * request goes out when it has become large, and when the owner says so.
 */
final class Gathering {
  /** Far below what brokers take as one record by default, also as JSON. */
  static final int LARGE = 192 * 1024;

  /** A span with what it stands in. */
  record Placed(ResourceSpans resource, ScopeSpans scope, Span span) {
    Placed with(Span other) {
      return new Placed(resource, scope, other);
    }
  }

  private final Consumer<ExportTraceServiceRequest> out;
  private final Map<ResourceSpans, Map<ScopeSpans, ScopeSpans.Builder>> scopes =
      new LinkedHashMap<>();
  private int size;

  Gathering(Consumer<ExportTraceServiceRequest> out) {
    this.out = out;
  }

  /** Says of each span of a request where it stands; resource and scope are without their spans. */
  static void forEach(ExportTraceServiceRequest request, Consumer<Placed> consumer) {
    for (ResourceSpans each : request.getResourceSpansList()) {
      ResourceSpans resource = each.toBuilder().clearScopeSpans().build();
      for (ScopeSpans spans : each.getScopeSpansList()) {
        ScopeSpans scope = spans.toBuilder().clearSpans().build();
        for (Span span : spans.getSpansList()) {
          consumer.accept(new Placed(resource, scope, span));
        }
      }
    }
  }

  void add(Placed placed) {
    int more =
        placed.span.getSerializedSize()
            + (scopes.containsKey(placed.resource) ? 0 : placed.resource.getSerializedSize());
    if (size > 0 && size + more > LARGE) {
      flush();
    }
    size += more;
    scopes
        .computeIfAbsent(placed.resource, fresh -> new LinkedHashMap<>())
        .computeIfAbsent(placed.scope, ScopeSpans::toBuilder)
        .addSpans(placed.span);
  }

  void flush() {
    if (scopes.isEmpty()) {
      return;
    }
    ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
    scopes.forEach(
        (resource, spans) -> {
          ResourceSpans.Builder builder = resource.toBuilder();
          spans.values().forEach(builder::addScopeSpans);
          request.addResourceSpans(builder);
        });
    scopes.clear();
    size = 0;
    out.accept(request.build());
  }
}
