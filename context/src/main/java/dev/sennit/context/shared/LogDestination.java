/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.shared;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where OTLP logs go, for two sides to find out whether they mean the same: the protocol, the
 * address, and the headers, which may say whose data it is.
 *
 * @param protocol {@code grpc} or {@code http/protobuf}
 * @param endpoint for gRPC only scheme, host and port count
 */
public record LogDestination(String protocol, URI endpoint, Map<String, String> headers) {
  public static final String GRPC = "grpc";

  public LogDestination {
    headers = Map.copyOf(headers);
  }

  /** The same list of texts for the same destination, however it was spelled. */
  List<String> key() {
    List<String> key = new ArrayList<>();
    key.add(protocol);
    key.add(address());
    Map<String, String> sorted = new TreeMap<>();
    headers.forEach((name, value) -> sorted.put(name.toLowerCase(Locale.ROOT), value));
    sorted.forEach((name, value) -> key.add(name + "=" + value));
    return key;
  }

  private String address() {
    String scheme = String.valueOf(endpoint.getScheme()).toLowerCase(Locale.ROOT);
    String host = String.valueOf(endpoint.getHost()).toLowerCase(Locale.ROOT);
    int port = endpoint.getPort();
    if (port < 0) {
      port = scheme.equals("https") ? 443 : 80;
    }
    String address = scheme + "://" + host + ":" + port;
    if (protocol.equals(GRPC)) {
      return address;
    }
    String path = endpoint.getRawPath();
    String query = endpoint.getRawQuery();
    return address
        + (path == null || path.isEmpty() ? "/" : path)
        + (query == null ? "" : "?" + query);
  }

  /** Without the values of headers, which may be secrets. */
  @Override
  public String toString() {
    return protocol
        + " to "
        + address()
        + ", headers "
        + headers.keySet().stream().sorted().toList();
  }
}
