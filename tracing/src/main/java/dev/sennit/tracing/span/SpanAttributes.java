/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes that the spans of all protocols have: who the ends are, and the error. */
final class SpanAttributes {
  private SpanAttributes() {}

  static Map<String, AttributeValue> of(Exchange exchange, Channel channel) {
    Map<String, AttributeValue> attributes = new LinkedHashMap<>(exchange.attributes());
    InetSocketAddress server = channel.server();
    InetSocketAddress client = channel.client();
    InetSocketAddress peer = channel.isServer() ? client : server;
    if (peer != null && peer.getPort() != 0) {
      put(attributes, "network.peer.address", peer);
      attributes.putIfAbsent("network.peer.port", AttributeValue.of(peer.getPort()));
    }
    if (server == null) {
      attributes.putIfAbsent("network.transport", AttributeValue.of("unix"));
    } else if (server.getPort() != 0 && !attributes.containsKey("server.address")) {
      put(attributes, "server.address", server);
      attributes.putIfAbsent("server.port", AttributeValue.of(server.getPort()));
    }
    if (channel.isServer() && client != null) {
      put(attributes, "client.address", client);
    }
    String error = exchange.errorType();
    if (error != null) {
      attributes.put("error.type", AttributeValue.of(error));
    }
    return attributes;
  }

  private static void put(
      Map<String, AttributeValue> attributes, String key, InetSocketAddress end) {
    String text = text(end.getAddress());
    if (text != null) {
      attributes.putIfAbsent(key, AttributeValue.of(text));
    }
  }

  /** Without the zone, which only its host knows. */
  private static @Nullable String text(@Nullable InetAddress address) {
    if (address == null) {
      return null;
    }
    String text = address.getHostAddress();
    int zone = address instanceof Inet6Address ? text.indexOf('%') : -1;
    return zone < 0 ? text : text.substring(0, zone);
  }
}
