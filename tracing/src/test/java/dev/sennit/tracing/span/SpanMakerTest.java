/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.otlp.Resource;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.protocol.Lost;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.traffic.Belonging;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.Flow.Way;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.RequestIds;
import dev.sennit.tracing.traffic.RequestIds.Source;
import dev.sennit.tracing.traffic.TraceIds;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SpanMakerTest {
  private static final long OFFSET = 1_000_000;
  private static final TraceIds UPSTREAM = new TraceIds(1, 2, 3, 0, 1);
  private static final TraceIds SERVER = new TraceIds(1, 2, 4, 3, 1);
  private static final TraceIds CLIENT = new TraceIds(1, 2, 5, 4, 1);

  private final List<Span> spans = new ArrayList<>();
  private Map<String, AttributeValue> resource = Map.of("service.name", AttributeValue.of("shop"));
  private SpanSettings settings = SpanSettings.DEFAULT;

  @Test
  void aServingSpanHasTheIdsThatWereDecidedAtItsRead() {
    Exchange exchange = exchange(null, new RequestIds(SERVER, Source.READ)).carried(UPSTREAM);

    assertThat(serve(exchange).ids()).isEqualTo(SERVER);
    assertThat(spans.getFirst().link()).isEqualTo(Link.ADOPTED);
  }

  @Test
  void aServingSpanKnowsWhetherItsIdsWerePutInOnTheWay() {
    SpanMaker maker = maker();
    maker.injected(UPSTREAM);
    Exchange exchange = exchange(null, new RequestIds(SERVER, Source.READ)).carried(UPSTREAM);
    maker.opened(exchange, channel(true), flow(Way.ACCEPTED));
    maker.ended(exchange, channel(true), flow(Way.ACCEPTED));

    assertThat(spans.getFirst().link()).isEqualTo(Link.INJECTED);
  }

  @Test
  void whatTheRequestSaysComesFirst() {
    TraceIds other = new TraceIds(9, 9, 9, 0, 1);
    Exchange exchange = exchange(null, new RequestIds(SERVER, Source.READ)).carried(other);

    TraceIds ids = serve(exchange).ids();
    assertThat(ids.isSameTrace(other)).isTrue();
    assertThat(ids.parentId()).isEqualTo(9);
    assertThat(ids.spanId()).isNotIn(9L, 4L);
  }

  @Test
  void aServingSpanOfNobodyIsARoot() {
    Span span = serve(exchange(null, null));

    assertThat(span.ids().parentId()).isZero();
    assertThat(span.ids().spanId()).isNotZero();
    assertThat(span.link()).isEqualTo(Link.NONE);
  }

  @Test
  void aCallHasTheSpanIdThatWentOverTheWire() {
    Span span = call(exchange(belonging(SERVER, false), new RequestIds(CLIENT, Source.INJECTED)));

    assertThat(span.ids()).isEqualTo(CLIENT);
    assertThat(span.link()).isEqualTo(Link.INJECTED);
  }

  @Test
  void aCallWithoutAHeaderIsBelowTheRequestThatItBelongsTo() {
    Span span = call(exchange(belonging(SERVER, false), new RequestIds(null, Source.LEFT_ALONE)));

    assertThat(span.ids().isSameTrace(SERVER)).isTrue();
    assertThat(span.ids().parentId()).isEqualTo(SERVER.spanId());
    assertThat(span.link()).isEqualTo(Link.NONE);
  }

  @Test
  void inAProcessThatServesOneRequestACallIsItsOwn() {
    SpanMaker maker = maker();
    Exchange served = exchange(null, null).carried(UPSTREAM);
    Exchange call = exchange(null, null);
    maker.opened(served, channel(true), flow(Way.ACCEPTED));
    maker.opened(call, channel(false), flow(Way.CONNECTED));
    maker.ended(call, channel(false), flow(Way.CONNECTED));
    maker.ended(served, channel(true), flow(Way.ACCEPTED));

    assertThat(spans.get(0).ids().parentId()).isEqualTo(spans.get(1).ids().spanId());
    assertThat(spans.get(1).ids().parentId()).isEqualTo(UPSTREAM.spanId());
  }

  @Test
  void inAProcessThatServesSeveralItIsNobodys() {
    SpanMaker maker = maker();
    Exchange call = exchange(null, null);
    maker.opened(exchange(null, null), channel(true), flow(Way.ACCEPTED));
    maker.opened(exchange(null, null), channel(true), flow(Way.ACCEPTED));
    maker.opened(call, channel(false), flow(Way.CONNECTED));
    maker.ended(call, channel(false), flow(Way.CONNECTED));

    assertThat(spans.getFirst().ids().parentId()).isZero();
  }

  @Test
  void inAProcessThatAlsoCallsWhenItServesNoneItIsNobodys() {
    SpanMaker maker = maker();
    Exchange served = exchange(null, null);
    maker.opened(served, channel(true), flow(Way.ACCEPTED));
    maker.ended(served, channel(true), flow(Way.ACCEPTED));
    maker.opened(exchange(null, null), channel(false), flow(Way.CONNECTED));
    maker.opened(exchange(null, null), channel(true), flow(Way.ACCEPTED));
    Exchange call = exchange(null, null);
    maker.opened(call, channel(false), flow(Way.CONNECTED));
    maker.ended(call, channel(false), flow(Way.CONNECTED));

    assertThat(spans.getLast().ids().parentId()).isZero();
  }

  @Test
  void aCallOfNobodyIsARoot() {
    assertThat(call(exchange(null, null)).ids().parentId()).isZero();
  }

  @Test
  void aCallThatPropagatesItselfIsBelowTheRequestThatItBelongsTo() {
    TraceIds wire = new TraceIds(1, 2, 77, 0, 1);
    Span span = call(exchange(belonging(SERVER, false), new RequestIds(wire, Source.ADOPTED)));

    assertThat(span.ids()).isEqualTo(new TraceIds(1, 2, 77, 4, 1));
    assertThat(span.link()).isEqualTo(Link.ADOPTED);
  }

  @Test
  void aCallThatSaysItsTraceIsBelowTheOneRequestOfThatTrace() {
    TraceIds wire = new TraceIds(1, 2, 77, 0, 1);
    SpanMaker maker = maker();
    Exchange another = exchange(null, null);
    Exchange served = exchange(null, new RequestIds(SERVER, Source.READ));
    Exchange call = exchange(null, null).carried(wire);
    maker.opened(another, channel(true), flow(Way.ACCEPTED));
    maker.opened(served, channel(true), flow(Way.ACCEPTED));
    maker.opened(call, channel(false), flow(Way.CONNECTED));
    maker.ended(call, channel(false), flow(Way.CONNECTED));

    assertThat(spans.getFirst().ids()).isEqualTo(new TraceIds(1, 2, 77, SERVER.spanId(), 1));
  }

  @Test
  void ofTwoRequestsOfThatTraceItIsBelowNeither() {
    TraceIds wire = new TraceIds(1, 2, 77, 0, 1);
    SpanMaker maker = maker();
    Exchange served = exchange(null, new RequestIds(SERVER, Source.READ));
    Exchange other =
        exchange(null, new RequestIds(SERVER.child(new SplittableRandom(1)), Source.READ));
    Exchange call = exchange(null, null).carried(wire);
    maker.opened(served, channel(true), flow(Way.ACCEPTED));
    maker.opened(other, channel(true), flow(Way.ACCEPTED));
    maker.opened(call, channel(false), flow(Way.CONNECTED));
    maker.ended(call, channel(false), flow(Way.CONNECTED));

    assertThat(spans.getFirst().ids()).isEqualTo(wire);
  }

  @Test
  void whatItBelongsToMayBeToldWithTheDecision() {
    TraceIds wire = new TraceIds(1, 2, 77, 4, 1);

    assertThat(call(exchange(null, new RequestIds(wire, Source.ADOPTED))).ids()).isEqualTo(wire);
  }

  @Test
  void aCallThatNamesTheSpanOfItsThreadIsBelowThat() {
    TraceIds wire = new TraceIds(1, 2, 4, 4, 1);
    TraceIds ids = call(exchange(null, new RequestIds(wire, Source.ADOPTED))).ids();

    assertThat(ids.parentId()).isEqualTo(4);
    assertThat(ids.spanId()).isNotEqualTo(4);
  }

  @Test
  void aCallWithTheHeaderOfAnSdkIsReportedByIt() {
    resource = Map.of("sennit.span_source", AttributeValue.of("sdk"));
    SpanMaker maker = maker();
    maker.ended(
        exchange(null, new RequestIds(CLIENT, Source.ADOPTED)),
        channel(false),
        flow(Way.CONNECTED));

    assertThat(spans).isEmpty();
  }

  /** What a proxy sends is its caller's span; two spans of one id would be one too many. */
  @Test
  void aProxyThatPassesOnWhatItWasSentHasACallOfItsOwn() {
    SpanMaker maker = maker();
    Exchange served = exchange(null, new RequestIds(SERVER, Source.READ)).carried(UPSTREAM);
    maker.opened(served, channel(true), flow(Way.ACCEPTED));
    maker.ended(
        exchange(belonging(SERVER, false), new RequestIds(UPSTREAM, Source.ADOPTED)),
        channel(false),
        flow(Way.CONNECTED));

    TraceIds ids = spans.getFirst().ids();
    assertThat(ids.parentId()).isEqualTo(SERVER.spanId());
    assertThat(ids.spanId()).isNotEqualTo(UPSTREAM.spanId());
  }

  @Test
  void whatAnSdkReportsIsNotReportedTwice() {
    resource = Map.of("sennit.span_source", AttributeValue.of("sdk"));
    SpanMaker maker = maker();
    maker.ended(
        exchange(belonging(CLIENT, true), null).complete(piece(belonging(CLIENT, true))),
        channel(true),
        flow(Way.ACCEPTED));
    maker.ended(exchange(belonging(CLIENT, true), null), channel(false), flow(Way.CONNECTED));

    assertThat(spans).isEmpty();
    assertThat(maker.counters().get(SpanCount.REPORTED_BY_SDK)).isEqualTo(2);
  }

  @Test
  void itMayBecomeAChildOfWhatTheSdkReports() {
    resource = Map.of("sennit.span_source", AttributeValue.of("sdk"));
    settings = new SpanSettings(1, SpanSettings.Doubled.CHILD);
    Exchange exchange = exchange(null, new RequestIds(SERVER, Source.READ)).carried(UPSTREAM);

    Span span = serve(exchange.complete(piece(belonging(CLIENT, true))));
    assertThat(span.ids().parentId()).isEqualTo(CLIENT.spanId());
  }

  /** Somebody's span is the parent of what came of it: without it the trace would be broken. */
  @Test
  void aCallThatGotAHeaderIsReportedWhateverTheSdkDoes() {
    resource = Map.of("sennit.span_source", AttributeValue.of("sdk"));

    assertThat(call(exchange(belonging(SERVER, true), new RequestIds(CLIENT, Source.INJECTED))))
        .extracting(Span::ids)
        .isEqualTo(CLIENT);
  }

  @Test
  void aContextThatWasPutByHandDropsNothing() {
    Span span = serve(exchange(null, null).complete(piece(belonging(CLIENT, true))));

    assertThat(span).isNotNull();
  }

  @Test
  void whatIsNotSampledIsNotReported() {
    TraceIds unsampled = new TraceIds(1, 2, 4, 3, 0);
    SpanMaker maker = maker();
    maker.ended(
        exchange(null, new RequestIds(unsampled, Source.READ)), channel(true), flow(Way.ACCEPTED));

    assertThat(spans).isEmpty();
    assertThat(maker.counters().get(SpanCount.NOT_SAMPLED)).isEqualTo(1);
  }

  @Test
  void theRatioCountsForRootsAlone() {
    settings = new SpanSettings(0, SpanSettings.Doubled.DROP);

    assertThat(serve(exchange(null, new RequestIds(SERVER, Source.READ)))).isNotNull();
    maker().ended(exchange(null, null), channel(true), flow(Way.ACCEPTED));
    assertThat(spans).hasSize(1);
  }

  @Test
  void aSpanKnowsItsEndsItsTimesAndItsError() {
    Exchange exchange =
        new Exchange("test", "name", new Piece(10, 7, 7)).put("a", "b").failed("500");
    Span span = serve(exchange.complete(new Piece(30, 7, 7)).sizes(3, 4));

    assertThat(span.start()).isEqualTo(OFFSET + 10);
    assertThat(span.end()).isEqualTo(OFFSET + 30);
    assertThat(span.errorType()).isEqualTo("500");
    assertThat(span.requestBytes()).isEqualTo(3);
    assertThat(span.attributes())
        .isEqualTo(
            Map.of(
                "a", AttributeValue.of("b"),
                "error.type", AttributeValue.of("500"),
                "server.address", AttributeValue.of("127.0.0.1"),
                "server.port", AttributeValue.of(80),
                "client.address", AttributeValue.of("127.0.0.2"),
                "network.peer.address", AttributeValue.of("127.0.0.2"),
                "network.peer.port", AttributeValue.of(4000)));
  }

  @Test
  void whatTheProtocolSaysOfTheServerIsKept() {
    Span span =
        call(new Exchange("test", "name", new Piece(10, 7, 7)).put("server.address", "shop.test"));

    assertThat(span.attributes())
        .containsEntry("server.address", AttributeValue.of("shop.test"))
        .containsEntry("network.peer.address", AttributeValue.of("127.0.0.1"))
        .doesNotContainKey("server.port");
  }

  private Span serve(Exchange exchange) {
    maker().ended(exchange, channel(true), flow(Way.ACCEPTED));
    return spans.getLast();
  }

  private Span call(Exchange exchange) {
    maker().ended(exchange, channel(false), flow(Way.CONNECTED));
    return spans.getLast();
  }

  private SpanMaker maker() {
    return new SpanMaker(
        settings,
        pid -> new Resource("shop", resource),
        time -> time + OFFSET,
        new SplittableRandom(1),
        spans::add);
  }

  private static Exchange exchange(@Nullable Belonging belonging, @Nullable RequestIds decision) {
    Piece piece = piece(belonging);
    if (decision != null) {
      piece.decided(decision);
    }
    return new Exchange("test", "name", piece).head(piece);
  }

  private static Piece piece(@Nullable Belonging belonging) {
    return new Piece(1, 7, 7, belonging);
  }

  private static Belonging belonging(TraceIds span, boolean published) {
    return new Belonging(span, published);
  }

  private static Flow flow(Way way) {
    return new Flow(1, false, way, null, null);
  }

  private static InetSocketAddress end(int last, int port) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}), port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static Channel channel(boolean server) {
    return new Channel() {
      @Override
      public Inflow inflow(Side side) {
        return new Inflow(1);
      }

      @Override
      public boolean isServer() {
        return server;
      }

      @Override
      public boolean isTls() {
        return false;
      }

      @Override
      public InetSocketAddress server() {
        return end(1, 80);
      }

      @Override
      public InetSocketAddress client() {
        return end(2, 4000);
      }

      @Override
      public boolean isWhole() {
        return true;
      }

      @Override
      public void opened(Exchange exchange) {}

      @Override
      public void ended(Exchange exchange) {}

      @Override
      public void lost(Lost reason) {}

      @Override
      public void switched() {}

      @Override
      public void mistaken() {}
    };
  }
}
