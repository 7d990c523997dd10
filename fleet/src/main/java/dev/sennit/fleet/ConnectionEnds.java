/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of the connection that a span's exchange went over, in a form that is the same on
 * both sides: addresses are numbers, and an IPv4 address inside of an IPv6 address is that IPv4
 * address.
 */
record ConnectionEnds(InetSocketAddress client, InetSocketAddress server) {
  private static final int LARGEST_PORT = 65_535;

  /** Null where one of them is not known. */
  static @Nullable ConnectionEnds of(boolean ofServer, List<KeyValue> attributes) {
    InetSocketAddress own = end(attributes, "network.local.address", "network.local.port");
    InetSocketAddress peer = end(attributes, "network.peer.address", "network.peer.port");
    InetSocketAddress client;
    InetSocketAddress server;
    if (ofServer) {
      client = peer == null ? end(attributes, "client.address", "client.port") : peer;
      server = own == null ? end(attributes, "server.address", "server.port") : own;
    } else {
      client = own;
      server = peer == null ? end(attributes, "server.address", "server.port") : peer;
    }
    return client == null || server == null ? null : new ConnectionEnds(client, server);
  }

  private static @Nullable InetSocketAddress end(
      List<KeyValue> attributes, String address, String port) {
    AnyValue text = find(attributes, address);
    AnyValue number = find(attributes, port);
    if (text == null || number == null || !text.hasStringValue() || !number.hasIntValue()) {
      return null;
    }
    long value = number.getIntValue();
    InetAddress parsed = address(text.getStringValue());
    return parsed == null || value <= 0 || value > LARGEST_PORT
        ? null
        : new InetSocketAddress(parsed, (int) value);
  }

  /** Names are not looked up: they mean another address on another host. */
  private static @Nullable InetAddress address(String text) {
    int zone = text.indexOf('%');
    try {
      return InetAddress.ofLiteral(zone < 0 ? text : text.substring(0, zone));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static @Nullable AnyValue find(List<KeyValue> attributes, String key) {
    for (KeyValue attribute : attributes) {
      if (attribute.getKey().equals(key)) {
        return attribute.getValue();
      }
    }
    return null;
  }
}
