/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mysql;

import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;

/** MySQL, MariaDB, and what speaks their protocol. */
public final class MysqlProtocol implements Protocol {
  static final String NAME = "mysql";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int usualPort() {
    return 3306;
  }

  @Override
  public Likeness judge(Side side, Inflow bytes) {
    if (bytes.size() < Packet.HEADER + 1) {
      return bytes.size() > 3 && bytes.get(3) > 3 ? Likeness.NO : Likeness.TOO_FEW;
    }
    return side == Side.REQUESTS
        ? PacketLikeness.ofRequest(bytes)
        : PacketLikeness.ofResponse(bytes);
  }

  @Override
  public Conversation begin(Channel channel) {
    return new MysqlConversation(channel);
  }
}
