/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.exchange.ExchangeListener;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.ConversationKit;
import dev.sennit.tracing.protocol.redis.RedisProtocol;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ProtocolFilterTest {
  private final List<String> told = new ArrayList<>();
  private final ProtocolFilter filter =
      new ProtocolFilter(
          Set.of("http", "redis"),
          new ExchangeListener() {
            @Override
            public void opened(Exchange exchange, Channel channel, Flow flow) {
              told.add(exchange.name() + " opened");
            }

            @Override
            public void ended(Exchange exchange, Channel channel, Flow flow) {
              told.add(exchange.name() + " ended");
            }
          });
  private final Channel channel = ConversationKit.client(new RedisProtocol());
  private final Flow flow = new Flow(1, false, Flow.Way.CONNECTED, null, null);

  private static Exchange exchange(String protocol, String name) {
    return new Exchange(protocol, name, new Piece(1, 1, 1));
  }

  @Test
  void thoseOfOtherNamesDoNotPass() {
    Exchange get = exchange("http", "GET");
    Exchange question = exchange("dns", "DNS A");
    filter.opened(get, channel, flow);
    filter.opened(question, channel, flow);
    filter.ended(get, channel, flow);
    filter.ended(question, channel, flow);
    assertThat(told).containsExactly("GET opened", "GET ended");
  }

  @Test
  void whatIsOpenWhenItsProtocolIsSwitchedOffEndsAllTheSame() {
    Exchange open = exchange("redis", "SET");
    Exchange later = exchange("redis", "GET");
    filter.opened(open, channel, flow);
    filter.change(Set.of("http"));
    filter.opened(later, channel, flow);
    filter.ended(open, channel, flow);
    filter.ended(later, channel, flow);
    assertThat(told).containsExactly("SET opened", "SET ended");
  }
}
