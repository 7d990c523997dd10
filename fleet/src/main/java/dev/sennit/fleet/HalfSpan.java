/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import dev.sennit.fleet.Gathering.Placed;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import dev.sennit.tracing.span.Ends;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.traffic.TraceIds;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One side of an exchange, reduced to what the stitcher compares. What it answers about is the pair
 * alone: each half is told to it as a trace of its own, for what traces are called in the end is
 * decided where all their spans are.
 */
final class HalfSpan {
  private static final Set<String> COMPARED =
      Set.of(
          "http.request.method",
          "rpc.method",
          "db.operation.name",
          "url.path",
          "url.full",
          "db.query.summary",
          "dns.question.name",
          "db.collection.name",
          "http.response.status_code",
          "rpc.response.status_code",
          "db.response.status_code",
          "db.query.text",
          "db.system.name",
          "rpc.system",
          "rpc.system.name",
          "network.local.address",
          "network.local.port",
          "network.peer.address",
          "network.peer.port",
          "client.address",
          "client.port",
          "server.address",
          "server.port");

  private static final String LINK = "sennit.link";
  private static final ScopeSpans NO_SCOPE = ScopeSpans.getDefaultInstance();

  private HalfSpan() {}

  /**
   * The ends of a span that may be the other side of one that another host saw; null of any other.
   * Where ids went over the wire, the server's span has a parent already.
   */
  static @Nullable ConnectionEnds ends(Span span) {
    return switch (span.getKind()) {
      case SPAN_KIND_SERVER -> isRoot(span) ? ConnectionEnds.of(span) : null;
      case SPAN_KIND_CLIENT -> carriedIds(span) ? null : ConnectionEnds.of(span);
      default -> null;
    };
  }

  static boolean isRoot(Span span) {
    ByteString parent = span.getParentSpanId();
    for (int i = 0; i < parent.size(); i++) {
      if (parent.byteAt(i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean carriedIds(Span span) {
    AnyValue link = ConnectionEnds.find(span.getAttributesList(), LINK);
    return link != null
        && (link.getStringValue().equals("injected") || link.getStringValue().equals("adopted"));
  }

  /** What is left of a resource. */
  static ResourceSpans reduce(ResourceSpans whole) {
    ResourceSpans.Builder resource = ResourceSpans.newBuilder();
    for (KeyValue attribute : whole.getResource().getAttributesList()) {
      if (attribute.getKey().equals("host.id") || attribute.getKey().equals("host.name")) {
        resource.getResourceBuilder().addAttributes(attribute);
      }
    }
    return resource.build();
  }

  static Placed reduce(ResourceSpans reduced, Span whole) {
    Span.Builder span =
        Span.newBuilder()
            .setTraceId(whole.getTraceId())
            .setSpanId(whole.getSpanId())
            .setKind(whole.getKind())
            .setStartTimeUnixNano(whole.getStartTimeUnixNano())
            .setEndTimeUnixNano(whole.getEndTimeUnixNano());
    for (KeyValue attribute : whole.getAttributesList()) {
      if (COMPARED.contains(attribute.getKey())) {
        span.addAttributes(attribute);
      }
    }
    return new Placed(reduced, NO_SCOPE, span.build());
  }

  /**
   * As the stitcher takes it. A stitched half has the ids of the client's, but its name still,
   * which is therefore the trace that it came from. A trace may have both kinds of halves: those of
   * clients are told under the complement of its id.
   */
  static dev.sennit.tracing.span.Span of(Placed half, ConnectionEnds ends) {
    Span span = half.span();
    boolean server = span.getKind() == SpanKind.SPAN_KIND_SERVER;
    TraceId trace = TraceId.of(span.getTraceId());
    Map<String, AttributeValue> attributes = attributes(span.getAttributesList());
    return new dev.sennit.tracing.span.Span(
        new TraceIds(
            trace.high(), server ? trace.low() : ~trace.low(), spanId(span.getSpanId()), 0, 1),
        server ? dev.sennit.tracing.span.SpanKind.SERVER : dev.sennit.tracing.span.SpanKind.CLIENT,
        trace.toString(),
        span.getStartTimeUnixNano(),
        span.getEndTimeUnixNano(),
        protocol(attributes),
        new Resource("", attributes(half.resource().getResource().getAttributesList())),
        attributes,
        null,
        Link.NONE,
        new Ends(0, ends.client(), ends.server()),
        0,
        0);
  }

  /**
   * What the stitcher found out about a server's half.
   *
   * @return null for a client's, of which nothing is to be said
   */
  static @Nullable Letter verdict(dev.sennit.tracing.span.Span span) {
    if (span.kind() == dev.sennit.tracing.span.SpanKind.CLIENT) {
      return null;
    }
    TraceId trace = TraceId.parse(span.name());
    TraceIds ids = span.ids();
    return span.link() == Link.STITCHED
        ? new Letter.Found(trace, new TraceId(ids.traceHigh(), ~ids.traceLow()), ids.parentId())
        : new Letter.NotFound(trace);
  }

  static long spanId(ByteString bytes) {
    return bytes.asReadOnlyByteBuffer().getLong();
  }

  private static String protocol(Map<String, AttributeValue> attributes) {
    if (attributes.get("db.system.name") instanceof AttributeValue.Text system) {
      return system.value();
    }
    if (attributes.containsKey("rpc.system") || attributes.containsKey("rpc.system.name")) {
      return "rpc";
    }
    return attributes.containsKey("dns.question.name") ? "dns" : "http";
  }

  private static Map<String, AttributeValue> attributes(List<KeyValue> list) {
    Map<String, AttributeValue> attributes = HashMap.newHashMap(list.size());
    for (KeyValue each : list) {
      AnyValue value = each.getValue();
      if (value.hasStringValue()) {
        attributes.put(each.getKey(), AttributeValue.of(value.getStringValue()));
      } else if (value.hasIntValue()) {
        attributes.put(each.getKey(), AttributeValue.of(value.getIntValue()));
      }
    }
    return attributes;
  }
}
