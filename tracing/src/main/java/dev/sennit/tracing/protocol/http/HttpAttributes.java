/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.traffic.Piece;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says of requests and responses what the semantic conventions for HTTP (1.44) want to know, for
 * servers and for clients.
 */
public final class HttpAttributes {
  private static final String PROTOCOL = "http";
  private static final String OTHER = "_OTHER";

  /** Those of RFC 9110, PATCH (RFC 5789) and QUERY. */
  private static final Set<String> KNOWN =
      Set.of(
          "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE");

  private static final int LONGEST = 4096;
  private static final int LONGEST_METHOD = 64;

  private final boolean guessRoutes;

  /**
   * @param guessRoutes whether names get what the path may look like in code
   */
  public HttpAttributes(boolean guessRoutes) {
    this.guessRoutes = guessRoutes;
  }

  /** The exchange that begins with a request. */
  public Exchange exchange(RequestHead head, Channel channel, Piece begin) {
    boolean known = KNOWN.contains(head.method());
    String name = known ? head.method() : "HTTP";
    Exchange exchange = new Exchange(PROTOCOL, name, begin);
    exchange.put("http.request.method", known ? head.method() : OTHER);
    if (!known) {
      exchange.put("http.request.method_original", cut(head.method(), LONGEST_METHOD));
    }
    RequestTarget target = RequestTarget.parse(head.method(), head.target());
    String scheme = scheme(head, target, channel);
    Authority authority = putServer(exchange, head, target.authority(), scheme);
    if (channel.isServer()) {
      if (!target.path().isEmpty()) {
        exchange.put("url.path", text(target.path()));
      }
      if (target.query() != null) {
        exchange.put("url.query", text(QueryRedaction.of(target.query())));
      }
      exchange.put("url.scheme", scheme);
      exchange.put("user_agent.original", head.userAgent() == null ? null : text(head.userAgent()));
    } else {
      exchange.put("url.full", full(target, authority, scheme, channel));
    }
    exchange.put("network.protocol.version", head.version());
    if (guessRoutes && !target.path().isEmpty()) {
      String route = text(RouteGuess.of(target.path()));
      exchange.put(channel.isServer() ? "http.route" : "url.template", route);
      exchange.name(name + " " + route);
    }
    return exchange.carried(head.carried());
  }

  /** Puts {@code server.address} and {@code server.port} as the request names them. */
  public static void putServer(Exchange exchange, RequestHead head, Channel channel) {
    putServer(exchange, head, null, scheme(head, null, channel));
  }

  private static @Nullable Authority putServer(
      Exchange exchange, RequestHead head, @Nullable String target, String scheme) {
    // RFC 9112, section 3.2.2: the target in absolute form counts more than the Host field.
    String text = target != null ? target : head.authority();
    Authority authority = text == null ? null : Authority.parse(text);
    if (authority != null) {
      exchange.put("server.address", text(authority.host()));
      exchange.put("server.port", authority.port() >= 0 ? authority.port() : usualPort(scheme));
    }
    return authority;
  }

  private static int usualPort(String scheme) {
    return scheme.equals("https") ? 443 : 80;
  }

  private static String scheme(RequestHead head, @Nullable RequestTarget target, Channel channel) {
    String said = target != null && target.scheme() != null ? target.scheme() : head.scheme();
    if ("http".equalsIgnoreCase(said)) {
      return "http";
    }
    return channel.isTls() || "https".equalsIgnoreCase(said) ? "https" : "http";
  }

  private static @Nullable String full(
      RequestTarget target, @Nullable Authority authority, String scheme, Channel channel) {
    String host = authority == null ? address(channel.server()) : host(authority);
    if (host == null || target.path().isEmpty()) {
      return null;
    }
    StringBuilder url = new StringBuilder(scheme).append("://");
    if (target.hasUserinfo()) {
      url.append(QueryRedaction.REDACTED).append(':').append(QueryRedaction.REDACTED).append('@');
    }
    url.append(host);
    if (!target.path().equals("*")) {
      url.append(target.path());
    }
    if (target.query() != null) {
      url.append('?').append(QueryRedaction.of(target.query()));
    }
    return text(url.toString());
  }

  private static String host(Authority authority) {
    String host =
        authority.host().indexOf(':') >= 0 ? "[" + authority.host() + "]" : authority.host();
    return authority.port() < 0 ? host : host + ":" + authority.port();
  }

  private static @Nullable String address(@Nullable InetSocketAddress server) {
    return server == null || server.getAddress() == null
        ? null
        : host(new Authority(server.getAddress().getHostAddress(), server.getPort()));
  }

  /** The status of the response. Of a server only its own errors are errors. */
  public static void putStatus(Exchange exchange, int status, boolean server) {
    exchange.put("http.response.status_code", status);
    if (status >= (server ? 500 : 400)) {
      exchange.failed(Integer.toString(status));
    }
  }

  /** Bytes that were taken as a character each are UTF-8, where they are more than ASCII. */
  private static String text(String latin1) {
    String cut = cut(latin1, LONGEST);
    for (int i = 0; i < cut.length(); i++) {
      if (cut.charAt(i) >= 0x80) {
        return new String(cut.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
      }
    }
    return cut;
  }

  private static String cut(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length);
  }
}
