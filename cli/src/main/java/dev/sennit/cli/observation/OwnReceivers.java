/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.exchange.ExchangeListener;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.HashSet;
import java.util.Set;

/**
 * Knows the observed processes that receive what Sennit sends, and keeps what they do for it to
 * itself. A collector that writes a line about each line that it receives, or whose every request
 * becomes a span that is sent to it, would never come to an end.
 *
 * <p>By HTTP the sender is known by its name. By gRPC that name is not seen, so there whatever a
 * collector receives counts as Sennit's.
 */
final class OwnReceivers implements ExchangeListener {
  private static final String EXPORTER = "Sennit-OTLP-Exporter";
  private static final String COLLECTOR = "opentelemetry.proto.collector.";
  private static final int MOST = 1024;

  private final ExchangeListener next;
  private final Set<Integer> pids = new HashSet<>();

  OwnReceivers(ExchangeListener next) {
    this.next = next;
  }

  /** Whether a process receives what Sennit sends. */
  boolean contains(int pid) {
    return pids.contains(pid);
  }

  void forget(int pid) {
    pids.remove(pid);
  }

  @Override
  public void opened(Exchange exchange, Channel channel, Flow flow) {
    if (!isOwn(exchange, channel)) {
      next.opened(exchange, channel, flow);
    } else if (pids.size() < MOST) {
      pids.add(exchange.begin().pid());
    }
  }

  @Override
  public void ended(Exchange exchange, Channel channel, Flow flow) {
    if (!isOwn(exchange, channel)) {
      next.ended(exchange, channel, flow);
    }
  }

  @Override
  public void injected(TraceIds ids) {
    next.injected(ids);
  }

  private static boolean isOwn(Exchange exchange, Channel channel) {
    if (!channel.isServer()) {
      return false;
    }
    return exchange.protocol().equals("grpc")
        ? exchange.name().startsWith(COLLECTOR)
        : exchange.attributes().get("user_agent.original")
                instanceof AttributeValue.Text(String agent)
            && agent.startsWith(EXPORTER);
  }
}
