/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.protocol.http.HttpAttributes;
import dev.sennit.tracing.traffic.Inflow;

/** HTTP/1.0 and HTTP/1.1, and their upgrade to HTTP/2. */
public final class Http1Protocol implements Protocol {
  private final boolean guessRoutes;

  public Http1Protocol() {
    this(false);
  }

  /**
   * @param guessRoutes whether the names of spans get a guess of the route
   */
  public Http1Protocol(boolean guessRoutes) {
    this.guessRoutes = guessRoutes;
  }

  @Override
  public String name() {
    return "http";
  }

  @Override
  public int usualPort() {
    return 80;
  }

  @Override
  public Likeness judge(Side side, Inflow bytes) {
    return side == Side.REQUESTS ? StartLine.request(bytes, 0) : StartLine.response(bytes, 0);
  }

  @Override
  public Conversation begin(Channel channel) {
    return new Http1Conversation(channel, new HttpAttributes(guessRoutes));
  }
}
