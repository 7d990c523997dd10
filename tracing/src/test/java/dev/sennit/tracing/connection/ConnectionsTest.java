/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.exchange.ExchangeListener;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.Flow.Way;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.RequestIds;
import dev.sennit.tracing.traffic.RequestIds.Source;
import dev.sennit.tracing.traffic.TraceIds;
import dev.sennit.tracing.traffic.TrafficEvent;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
  private static final Protocol CLEAR = new LineProtocol("clear", 'a', 0, Likeness.CLEAR);
  private static final Protocol GUESS = new LineProtocol("guess", 'b', 0, Likeness.PERHAPS);
  private static final Protocol RIVAL = new LineProtocol("rival", 'b', 99, Likeness.PERHAPS);

  private final List<String> opened = new ArrayList<>();
  private final List<Exchange> ended = new ArrayList<>();
  private final List<Boolean> servers = new ArrayList<>();
  private Connections connections = connections(ConnectionLimits.DEFAULT, CLEAR, GUESS);
  private long time;

  @Test
  void aServersRequestsAreWhatItReads() {
    Flow flow = flow(1, Way.ACCEPTED, 80);
    read(flow, "abc\n");
    write(flow, "+1\n");

    assertThat(opened).containsExactly("abc");
    assertThat(ended).singleElement().matches(Exchange::isComplete);
    assertThat(servers).containsExactly(true);
  }

  @Test
  void aClientsRequestsAreWhatItWrites() {
    Flow flow = flow(1, Way.CONNECTED, 80);
    write(flow, "a1\na2\n");
    read(flow, "+\n+\n");

    assertThat(names()).containsExactly("a1", "a2");
    assertThat(servers).containsExactly(false, false);
  }

  @Test
  void whoAsksWhomIsFoundOutWhereNobodyKnows() {
    Flow flow = flow(1, Way.UNKNOWN, 80);
    write(flow, "+late answer\n");
    read(flow, "a1\n");
    write(flow, "+\n");

    assertThat(names()).containsExactly("a1");
    assertThat(servers).containsExactly(true);
    assertThat(connections.lost().get(Lost.NO_REQUEST)).isEqualTo(1);
  }

  @Test
  void aGuessIsBelievedOnceItIsAnswered() {
    Flow flow = flow(1, Way.ACCEPTED, 80);
    read(flow, "b1\nb2\n");
    assertThat(opened).isEmpty();
    write(flow, "+\n");

    assertThat(names()).containsExactly("b1");
    read(flow, "b3\n");
    assertThat(opened).containsExactly("b3");
  }

  @Test
  void thePortDecidesBetweenGuesses() {
    connections = connections(ConnectionLimits.DEFAULT, GUESS, RIVAL);
    exchange(flow(1, Way.ACCEPTED, 99), "b1\n");
    exchange(flow(2, Way.ACCEPTED, 80), "b1\n");

    assertThat(ended).extracting(Exchange::protocol).containsExactly("rival");
  }

  @Test
  void whatNobodyUnderstandsIsCountedAndHeldNowhere() {
    Flow flow = flow(1, Way.ACCEPTED, 80);
    for (int i = 0; i < 100; i++) {
      read(flow, "x".repeat(4000));
    }

    assertThat(ended).isEmpty();
    assertThat(connections.held()).isZero();
    assertThat(connections.lost().get(Lost.UNKNOWN_PROTOCOL)).isBetween(1L, 64L);
  }

  @Test
  void aMistakeDoesNotPoisonWhatFollows() {
    Flow flow = flow(1, Way.ACCEPTED, 80);
    read(flow, "b1\nmore\n");
    exchange(flow, "a1\n");

    assertThat(names()).containsExactly("a1");
  }

  @Test
  void aConnectionMaySwitchItsProtocol() {
    Flow flow = flow(1, Way.ACCEPTED, 80);
    read(flow, "a1\n");
    write(flow, "=\n");
    exchange(flow, "b1\n");

    assertThat(ended).extracting(Exchange::protocol).containsExactly("clear", "guess");
  }

  @Test
  void whatGoesOutInPartComesAgain() {
    Flow flow = flow(1, Way.CONNECTED, 80);
    write(flow, "a1\na2\n");
    connections.accept(new TrafficEvent.Sent(flow, 2));
    write(flow, "\na2\n");
    connections.accept(new TrafficEvent.Sent(flow, 0));
    write(flow, "\na2\n");
    write(flow, "a3\n");
    read(flow, "+\n+\n+\n");

    assertThat(names()).containsExactly("a1", "a2", "a3");
  }

  @Test
  void ofWhatTheKernelTakesFromAFileTheSizeComesAfterwards() {
    Flow flow = flow(1, Way.ACCEPTED, 80);
    read(flow, "a1\n");
    write(flow, "");
    connections.accept(new TrafficEvent.Sent(flow, 1000));

    assertThat(ended).isEmpty();
    connections.accept(new TrafficEvent.Closed(flow, piece()));
    assertThat(ended).singleElement().matches(each -> !each.isComplete());
  }

  @Test
  void whatIsDecidedAboutRequestsIsTheirs() {
    Flow flow = flow(1, Way.CONNECTED, 80);
    SplittableRandom random = new SplittableRandom(1);
    List<RequestIds> decisions = new ArrayList<>();
    write(flow, "a1\na2\n");
    for (int i = 0; i < 2; i++) {
      decisions.add(new RequestIds(TraceIds.root(random, true), Source.INJECTED));
      connections.accept(new TrafficEvent.Decided(flow, decisions.get(i)));
    }
    write(flow, "a3\n");
    read(flow, "+\n+\n+\n");

    assertThat(ended.get(0).decision()).isEqualTo(decisions.get(0));
    assertThat(ended.get(1).decision()).isEqualTo(decisions.get(1));
    assertThat(ended.get(2).decision()).isNull();
  }

  @Test
  void theEndOfAProcessEndsItsConnectionsAndNoOthers() {
    Flow mine = flow(1, Way.ACCEPTED, 80);
    Flow other = flow(2, Way.ACCEPTED, 80);
    read(mine, "a1\n");
    connections.accept(
        new TrafficEvent.Moved(other, false, new Piece(++time, 8, 8), bytes("a2\n"), 3));
    connections.accept(new TrafficEvent.Ended(new Piece(++time, 7, 7)));

    assertThat(names()).containsExactly("a1");
    assertThat(connections.size()).isEqualTo(1);
  }

  /** A server that forks closes in the parent what its child goes on with. */
  @Test
  void aCloseByAnotherProcessThanTheOneThatReadsEndsNothing() {
    Flow flow = flow(1, Way.ACCEPTED, 80);
    read(flow, "a1\n");
    connections.accept(new TrafficEvent.Closed(flow, new Piece(++time, 8, 8)));
    write(flow, "+\n");

    assertThat(ended).singleElement().matches(Exchange::isComplete);
  }

  @Test
  void plaintextAndWhatCarriesItAreTwo() {
    Flow carrier = flow(1, Way.ACCEPTED, 80);
    Flow plain = new Flow(1, true, Way.ACCEPTED, carrier.local(), carrier.remote());
    read(carrier, "\u0016\u0003\u0001");
    exchange(plain, "a1\n");

    assertThat(names()).containsExactly("a1");
  }

  @Test
  void theConnectionIsForgottenThatWasSilentForLongest() {
    connections = connections(new ConnectionLimits(2, 1024, 1 << 20), CLEAR);
    read(flow(1, Way.ACCEPTED, 80), "a1\n");
    exchange(flow(2, Way.ACCEPTED, 80), "a2\n");
    exchange(flow(3, Way.ACCEPTED, 80), "a3\n");
    write(flow(1, Way.ACCEPTED, 80), "+\n");

    assertThat(names()).containsExactly("a2", "a3", "a1");
    assertThat(connections.size()).isEqualTo(2);
    assertThat(connections.lost().get(Lost.EVICTED)).isEqualTo(1);
  }

  @Test
  void memoryIsBoundedInAll() {
    connections = connections(new ConnectionLimits(1000, 4096, 64 << 10), CLEAR);
    for (int i = 1; i <= 500; i++) {
      read(flow(i, Way.ACCEPTED, 80), "a" + "x".repeat(3000));
      assertThat(connections.held()).isLessThanOrEqualTo(64 << 10);
    }
    assertThat(connections.lost().get(Lost.EVICTED)).isPositive();
  }

  private Connections connections(ConnectionLimits limits, Protocol... protocols) {
    return new Connections(
        List.of(protocols),
        limits,
        new ExchangeListener() {
          @Override
          public void opened(Exchange exchange, Channel channel, Flow flow) {
            opened.add(exchange.name());
          }

          @Override
          public void ended(Exchange exchange, Channel channel, Flow flow) {
            ended.add(exchange);
            servers.add(channel.isServer());
          }
        });
  }

  private List<String> names() {
    return ended.stream().map(Exchange::name).toList();
  }

  private void exchange(Flow flow, String request) {
    read(flow, request);
    write(flow, "+\n");
  }

  private void read(Flow flow, String text) {
    move(flow, false, text);
  }

  private void write(Flow flow, String text) {
    move(flow, true, text);
  }

  private void move(Flow flow, boolean written, String text) {
    byte[] bytes = bytes(text);
    connections.accept(new TrafficEvent.Moved(flow, written, piece(), bytes, bytes.length));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private Piece piece() {
    return new Piece(++time, 7, 7);
  }

  private static Flow flow(long number, Way way, int serverPort) {
    InetSocketAddress server = InetSocketAddress.createUnresolved("server", serverPort);
    InetSocketAddress client = InetSocketAddress.createUnresolved("client", 40_000);
    return new Flow(
        number,
        false,
        way,
        way == Way.CONNECTED ? client : server,
        way == Way.CONNECTED ? server : client);
  }
}
