/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.write.Rows.EventRow;
import dev.sennit.store.write.Rows.LinkRow;
import dev.sennit.store.write.Rows.ProcessRow;
import dev.sennit.store.write.Rows.SpanRow;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes rows of spans. A span without ids belongs to no trace and is rejected. */
public final class SpanDecoder {
  private static final List<String> PEERS =
      List.of("peer.service", "db.system.name", "db.system", "messaging.system", "server.address");

  private SpanDecoder() {}

  public static Batch decode(ExportTraceServiceRequest request) {
    Batch batch = new Batch(request.getSerializedSize());
    ContentHash hash = new ContentHash();
    for (ResourceSpans resource : request.getResourceSpansList()) {
      ProcessRow process = Origin.of(resource.getResource(), hash);
      batch.processes.put(process.processId(), process);
      for (ScopeSpans scope : resource.getScopeSpansList()) {
        @Nullable String scopeName = Origin.scope(scope.getScope());
        for (Span span : scope.getSpansList()) {
          add(span, process, scopeName, batch);
        }
      }
    }
    return batch;
  }

  private static void add(Span span, ProcessRow process, @Nullable String scope, Batch batch) {
    @Nullable String traceId = Ids.trace(span.getTraceId());
    @Nullable String spanId = Ids.span(span.getSpanId());
    if (traceId == null || spanId == null) {
      batch.reject("a span has no valid ids; its name is " + shortened(span.getName()));
      return;
    }
    batch.spans.add(
        new SpanRow(
            traceId,
            spanId,
            Ids.span(span.getParentSpanId()),
            process.service(),
            span.getName(),
            kind(span.getKind()),
            peer(span),
            Times.at(span.getStartTimeUnixNano()),
            Times.between(span.getStartTimeUnixNano(), span.getEndTimeUnixNano()),
            status(span.getStatus()),
            Origin.textOrNull(span.getStatus().getMessage()),
            AttributesJson.of(span.getAttributesList()),
            scope,
            Origin.textOrNull(span.getTraceState()),
            process.processId(),
            events(span),
            links(span)));
  }

  /**
   * Whom a span calls by its attributes, the best name of it; null for a span that calls nobody.
   */
  private static @Nullable String peer(Span span) {
    if (span.getKind() != Span.SpanKind.SPAN_KIND_CLIENT
        && span.getKind() != Span.SpanKind.SPAN_KIND_PRODUCER) {
      return null;
    }
    for (String key : PEERS) {
      @Nullable String peer = Attributes.text(span.getAttributesList(), key);
      if (peer != null) {
        return peer;
      }
    }
    return null;
  }

  private static List<EventRow> events(Span span) {
    if (span.getEventsCount() == 0) {
      return List.of();
    }
    List<EventRow> events = new ArrayList<>();
    for (Span.Event event : span.getEventsList()) {
      events.add(
          new EventRow(
              Times.at(event.getTimeUnixNano()),
              event.getName(),
              AttributesJson.of(event.getAttributesList())));
    }
    return events;
  }

  private static List<LinkRow> links(Span span) {
    if (span.getLinksCount() == 0) {
      return List.of();
    }
    List<LinkRow> links = new ArrayList<>();
    for (Span.Link link : span.getLinksList()) {
      @Nullable String traceId = Ids.trace(link.getTraceId());
      @Nullable String spanId = Ids.span(link.getSpanId());
      if (traceId != null && spanId != null) {
        links.add(new LinkRow(traceId, spanId, AttributesJson.of(link.getAttributesList())));
      }
    }
    return links;
  }

  private static String kind(Span.SpanKind kind) {
    return switch (kind) {
      case SPAN_KIND_INTERNAL -> "INTERNAL";
      case SPAN_KIND_SERVER -> "SERVER";
      case SPAN_KIND_CLIENT -> "CLIENT";
      case SPAN_KIND_PRODUCER -> "PRODUCER";
      case SPAN_KIND_CONSUMER -> "CONSUMER";
      case SPAN_KIND_UNSPECIFIED, UNRECOGNIZED -> "UNSPECIFIED";
    };
  }

  private static String status(Status status) {
    return switch (status.getCode()) {
      case STATUS_CODE_OK -> "OK";
      case STATUS_CODE_ERROR -> "ERROR";
      case STATUS_CODE_UNSET, UNRECOGNIZED -> "UNSET";
    };
  }

  private static String shortened(String name) {
    return name.length() <= 100 ? name : name.substring(0, 100) + "…";
  }
}
