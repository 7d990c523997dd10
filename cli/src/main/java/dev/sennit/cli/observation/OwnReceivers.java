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
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;

/**
 * Knows the observed processes that receive what Sennit sends, and keeps what they do for it to
 * itself. A collector that writes a line about each line that it receives, or whose every request
 * becomes a span that is sent to it, would never come to an end.
 *
 * <p>By HTTP the sender is known by its name. By gRPC that name is not seen, so there whatever a
 * collector receives counts as Sennit's. What observed processes send to Sennit itself, such as an
 * agent its samples, is no work of theirs either.
 */
final class OwnReceivers implements ExchangeListener {
  private static final String EXPORTER = "Sennit-OTLP-Exporter";
  private static final String COLLECTOR = "opentelemetry.proto.collector.";
  private static final int MOST = 1024;

  private final Set<InetSocketAddress> addresses;
  private final ExchangeListener next;
  private final Set<Integer> pids = new HashSet<>();

  /**
   * @param addresses where this process receives, which is not observed itself
   */
  OwnReceivers(Set<InetSocketAddress> addresses, ExchangeListener next) {
    this.addresses = Set.copyOf(addresses);
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
    } else if (channel.isServer() && pids.size() < MOST) {
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

  private boolean isOwn(Exchange exchange, Channel channel) {
    if (!channel.isServer()) {
      return channel.server() != null && addresses.contains(channel.server());
    }
    return exchange.protocol().equals("grpc")
        ? exchange.name().startsWith(COLLECTOR)
        : exchange.attributes().get("user_agent.original")
                instanceof AttributeValue.Text(String agent)
            && agent.startsWith(EXPORTER);
  }
}
