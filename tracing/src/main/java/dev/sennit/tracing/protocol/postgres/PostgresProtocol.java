/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.postgres;

import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Conversation;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;

/** PostgreSQL, and what speaks its protocol. */
public final class PostgresProtocol implements Protocol {
  static final String NAME = "postgres";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int usualPort() {
    return 5432;
  }

  @Override
  public Likeness judge(Side side, Inflow bytes) {
    return bytes.size() == 0 ? Likeness.TOO_FEW : MessageFormat.judge(side, bytes);
  }

  @Override
  public Conversation begin(Channel channel) {
    return new PostgresConversation(channel);
  }
}
