/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.tracing.span.Ends;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import dev.sennit.tracing.traffic.TraceIds;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;

/** One side of an exchange, reduced to what is compared when its other side is looked for. */
final class Half {
  /** What has become of it. */
  enum State {
    OPEN,
    JOINED,
    /** Its time is over, but what it might have been joined to is still not free for others. */
    LEFT
  }

  final boolean server;
  final TraceIds ids;
  final long start;
  final long end;
  final String protocol;
  final Content content;
  final long requestBytes;
  final long responseBytes;
  final Host host;
  final Connection connection;
  State state = State.OPEN;

  /** Whether it came when only its side was known to use the connection's name. */
  boolean alone;

  Half(Span span, Host host, Connection connection) {
    this.server = span.kind() == SpanKind.SERVER;
    this.ids = span.ids();
    this.start = span.start();
    this.end = Math.max(span.start(), span.end());
    this.protocol = span.protocol();
    this.content = Content.of(span.attributes());
    this.requestBytes = span.requestBytes();
    this.responseBytes = span.responseBytes();
    this.host = host;
    this.connection = connection;
  }

  long duration() {
    return end - start;
  }

  /** The host whose clock a span's times are of: by its name, else by the address on it. */
  static String nameOfHost(Span span) {
    Map<String, AttributeValue> attributes = span.resource().attributes();
    if (attributes.get("host.id") instanceof AttributeValue.Text id) {
      return id.value();
    }
    if (attributes.get("host.name") instanceof AttributeValue.Text name) {
      return name.value();
    }
    Ends ends = span.ends();
    InetSocketAddress own = span.kind() == SpanKind.SERVER ? ends.server() : ends.client();
    InetAddress address = own == null ? null : own.getAddress();
    return address == null ? "" : address.getHostAddress();
  }
}
