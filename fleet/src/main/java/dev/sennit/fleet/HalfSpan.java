/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.otlp.AttributeValue;
import dev.sennit.tracing.span.Ends;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.traffic.TraceIds;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * One side of an exchange, reduced to what the stitcher compares. What it answers about is the pair
 * alone: each half is told to it as a trace of its own, for what traces are called in the end is
 * decided where all their spans are.
 */
final class HalfSpan {
  private static final String LINK = "sennit.link";

  /** What the stitcher compares, by itself: hundreds of thousands wait there and share the keys. */
  private static final Map<String, String> CONTENT =
      Stream.of(
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
              "db.query.text")
          .collect(Collectors.toUnmodifiableMap(key -> key, key -> key));

  /** What says of which exchange it is one side. */
  private static final Set<ByteString> COMPARED =
      Stream.concat(
              CONTENT.keySet().stream(),
              Stream.of(
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
                  "server.port",
                  LINK))
          .map(ByteString::copyFromUtf8)
          .collect(Collectors.toUnmodifiableSet());

  private static final int KEY =
      (KeyValue.KEY_FIELD_NUMBER << 3) | WireFormat.WIRETYPE_LENGTH_DELIMITED;

  /** What a CLIENT span says of itself whose ids went over the wire. */
  private static final Set<String> CARRIED = Set.of("injected", "adopted");

  private final SpanHead head;
  private final ConnectionEnds ends;

  /** What is compared, as it came and read. */
  private final List<ByteString> compared;

  private final List<KeyValue> attributes;

  private HalfSpan(
      SpanHead head, ConnectionEnds ends, List<ByteString> compared, List<KeyValue> attributes) {
    this.head = head;
    this.ends = ends;
    this.compared = compared;
    this.attributes = attributes;
  }

  InetSocketAddress client() {
    return ends.client();
  }

  /**
   * What is compared of a span that may be the other side of one that another host saw; null of any
   * other. Where ids went over the wire, the server's span has a parent already.
   */
  static @Nullable HalfSpan of(SpanHead head) {
    boolean server = head.isServer();
    if (server ? !head.isRoot() : head.kind() != SpanKind.SPAN_KIND_CLIENT) {
      return null;
    }
    List<ByteString> compared = new ArrayList<>(head.attributes().size());
    for (ByteString attribute : head.attributes()) {
      if (COMPARED.contains(key(attribute))) {
        compared.add(attribute);
      }
    }
    List<KeyValue> attributes = parsed(compared);
    AnyValue link = ConnectionEnds.find(attributes, LINK);
    if (!server && link != null && CARRIED.contains(link.getStringValue())) {
      return null;
    }
    ConnectionEnds ends = ConnectionEnds.of(server, attributes);
    return ends == null ? null : new HalfSpan(head, ends, compared, attributes);
  }

  /** Most attributes are not compared, so that no more of them is read. */
  private static ByteString key(ByteString attribute) {
    try {
      CodedInputStream in = attribute.newCodedInput();
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        if (tag == KEY) {
          return SpanHead.value(attribute, in);
        }
        in.skipField(tag);
      }
      return ByteString.EMPTY;
    } catch (IOException e) {
      throw new SerializationException("an attribute that was read before is not readable now", e);
    }
  }

  private static List<KeyValue> parsed(List<ByteString> attributes) {
    List<KeyValue> parsed = new ArrayList<>(attributes.size());
    try {
      for (ByteString attribute : attributes) {
        parsed.add(KeyValue.parseFrom(attribute));
      }
    } catch (InvalidProtocolBufferException e) {
      throw new SerializationException("an attribute that was read before is not readable now", e);
    }
    return parsed;
  }

  /**
   * As it is sent to where it is compared.
   *
   * @param resource what is left of its resource, from {@link #reducedResource}
   */
  Placed sent(ByteString resource) {
    Span ids =
        Span.newBuilder()
            .setTraceId(head.traceId())
            .setSpanId(head.spanId())
            .setKind(head.kind())
            .setStartTimeUnixNano(head.start())
            .setEndTimeUnixNano(head.end())
            .build();
    int size = ids.getSerializedSize();
    for (ByteString attribute : compared) {
      size += CodedOutputStream.computeBytesSize(Span.ATTRIBUTES_FIELD_NUMBER, attribute);
    }
    byte[] span = new byte[size];
    try {
      CodedOutputStream out = CodedOutputStream.newInstance(span);
      ids.writeTo(out);
      for (ByteString attribute : compared) {
        out.writeBytes(Span.ATTRIBUTES_FIELD_NUMBER, attribute);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return new Placed(resource, ByteString.EMPTY, UnsafeByteOperations.unsafeWrap(span));
  }

  /** What is left of a resource. */
  static ByteString reducedResource(ByteString whole) {
    ResourceSpans.Builder resource = ResourceSpans.newBuilder();
    for (KeyValue attribute : resource(whole).getAttributesList()) {
      if (attribute.getKey().equals("host.id") || attribute.getKey().equals("host.name")) {
        resource.getResourceBuilder().addAttributes(attribute);
      }
    }
    return resource.build().toByteString();
  }

  /** The host of a half, by what is left of its resource. */
  static dev.sennit.otlp.Resource host(ByteString reduced) {
    return new dev.sennit.otlp.Resource("", attributes(resource(reduced).getAttributesList()));
  }

  private static Resource resource(ByteString resourceSpans) {
    try {
      return ResourceSpans.parseFrom(resourceSpans).getResource();
    } catch (InvalidProtocolBufferException e) {
      throw new SerializationException("a resource that was read before is not readable now", e);
    }
  }

  /**
   * As the stitcher takes it. A stitched half has the ids of the client's, but its name still,
   * which is therefore the trace that it came from. A trace may have both kinds of halves: those of
   * clients are told under the complement of its id.
   *
   * @param host from {@link #host}, one for all halves of it
   */
  static dev.sennit.tracing.span.@Nullable Span told(
      ByteString span, dev.sennit.otlp.Resource host) {
    SpanHead head = SpanHead.of(span);
    HalfSpan half = of(head);
    if (half == null) {
      return null;
    }
    boolean server = head.isServer();
    TraceId trace = head.trace();
    return new dev.sennit.tracing.span.Span(
        new TraceIds(trace.high(), server ? trace.low() : ~trace.low(), head.id(), 0, 1),
        server ? dev.sennit.tracing.span.SpanKind.SERVER : dev.sennit.tracing.span.SpanKind.CLIENT,
        trace.toString(),
        head.start(),
        head.end(),
        protocol(half.attributes),
        host,
        content(half.attributes),
        null,
        Link.NONE,
        new Ends(0, half.ends.client(), half.ends.server()),
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

  private static String protocol(List<KeyValue> attributes) {
    AnyValue system = ConnectionEnds.find(attributes, "db.system.name");
    if (system != null && system.hasStringValue()) {
      return system.getStringValue();
    }
    if (ConnectionEnds.find(attributes, "rpc.system") != null
        || ConnectionEnds.find(attributes, "rpc.system.name") != null) {
      return "rpc";
    }
    return ConnectionEnds.find(attributes, "dns.question.name") != null ? "dns" : "http";
  }

  private static Map<String, AttributeValue> content(List<KeyValue> list) {
    Map<String, AttributeValue> content = new HashMap<>(8);
    for (KeyValue each : list) {
      String key = CONTENT.get(each.getKey());
      if (key != null) {
        put(content, key, each.getValue());
      }
    }
    return content;
  }

  private static Map<String, AttributeValue> attributes(List<KeyValue> list) {
    Map<String, AttributeValue> attributes = HashMap.newHashMap(list.size());
    list.forEach(each -> put(attributes, each.getKey(), each.getValue()));
    return attributes;
  }

  private static void put(Map<String, AttributeValue> attributes, String key, AnyValue value) {
    if (value.hasStringValue()) {
      attributes.put(key, AttributeValue.of(value.getStringValue()));
    } else if (value.hasIntValue()) {
      attributes.put(key, AttributeValue.of(value.getIntValue()));
    }
  }
}
