/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http2;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.protocol.http.HttpAttributes;
import dev.sennit.tracing.traffic.Inflow;
import org.jspecify.annotations.Nullable;

/** HTTP/2 in clear or inside of TLS, from its preface or joined later, and gRPC. */
public final class Http2Protocol implements Protocol {
  private final boolean guessRoutes;

  public Http2Protocol() {
    this(false);
  }

  /**
   * @param guessRoutes whether the names of spans get a guess of the route
   */
  public Http2Protocol(boolean guessRoutes) {
    this.guessRoutes = guessRoutes;
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public int usualPort() {
    return 0;
  }

  @Override
  public Likeness judge(Side side, Inflow bytes) {
    return Frame.judge(side, bytes);
  }

  @Override
  public Conversation begin(Channel channel) {
    return new Http2Conversation(channel, new HttpAttributes(guessRoutes));
  }

  /**
   * Follows a connection that was upgraded: the request was HTTP/1, its response is that of stream
   * 1.
   *
   * @param settings the client's, as {@code HTTP2-Settings} has them
   */
  public static Conversation upgraded(
      Channel channel, HttpAttributes attributes, Exchange first, @Nullable String settings) {
    Http2Conversation conversation = new Http2Conversation(channel, attributes);
    conversation.upgrade(first, settings);
    return conversation;
  }
}
