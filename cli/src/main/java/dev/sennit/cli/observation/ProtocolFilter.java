/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.exchange.ExchangeListener;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Lets exchanges of some protocols pass. Of one whose begin has passed the end passes, too,
 * whatever has been changed in between: who heard of the begin counts it as open.
 */
final class ProtocolFilter implements ExchangeListener {
  private final ExchangeListener next;
  private final Set<Exchange> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private Set<String> names;

  ProtocolFilter(Set<String> names, ExchangeListener next) {
    this.names = names;
    this.next = next;
  }

  void change(Set<String> newNames) {
    names = newNames;
  }

  @Override
  public void opened(Exchange exchange, Channel channel, Flow flow) {
    if (names.contains(exchange.protocol())) {
      open.add(exchange);
      next.opened(exchange, channel, flow);
    }
  }

  @Override
  public void injected(TraceIds ids) {
    next.injected(ids);
  }

  @Override
  public void ended(Exchange exchange, Channel channel, Flow flow) {
    if (open.remove(exchange) || names.contains(exchange.protocol())) {
      next.ended(exchange, channel, flow);
    }
  }
}
