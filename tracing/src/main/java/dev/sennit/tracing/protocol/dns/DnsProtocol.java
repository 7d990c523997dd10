/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.dns;

import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;

/** Questions to name servers: over UDP, where each call is a message, and over TCP. */
public final class DnsProtocol implements Protocol {
  @Override
  public String name() {
    return "dns";
  }

  @Override
  public int usualPort() {
    return 53;
  }

  @Override
  public Likeness judge(Side side, Inflow bytes) {
    if (Wire.judgeDatagram(side, bytes) == Likeness.CLEAR) {
      return Likeness.CLEAR;
    }
    return Wire.judgeStream(side, bytes);
  }

  @Override
  public Conversation begin(Channel channel) {
    return new DnsConversation(channel);
  }
}
