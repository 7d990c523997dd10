/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.mongodb;

import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;

/** MongoDB, and what speaks its protocol. */
public final class MongoProtocol implements Protocol {
  static final String NAME = "mongodb";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int usualPort() {
    return 27017;
  }

  @Override
  public Likeness judge(Side side, Inflow bytes) {
    if (bytes.size() < MessageHeader.SIZE) {
      return MessageHeader.canBeginShort(bytes) ? Likeness.TOO_FEW : Likeness.NO;
    }
    if (!MessageHeader.of(bytes).canBegin(side, bytes)) {
      return Likeness.NO;
    }
    return bytes.size() < MessageHeader.TELLING ? Likeness.TOO_FEW : Likeness.CLEAR;
  }

  @Override
  public Conversation begin(Channel channel) {
    return new MongoConversation(channel);
  }
}
