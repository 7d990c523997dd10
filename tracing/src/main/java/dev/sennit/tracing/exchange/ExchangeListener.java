/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.exchange;

import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.TraceIds;

/** Hears of exchanges, in the order in which they begin and end. */
public interface ExchangeListener {
  /** A request was seen that waits for its answer. */
  void opened(Exchange exchange, Channel channel, Flow flow);

  /** An exchange has ended. It may never have been told as opened. */
  void ended(Exchange exchange, Channel channel, Flow flow);

  /** Ids were put into a request on its way out; whoever reads it will find them there. */
  default void injected(TraceIds ids) {}
}
