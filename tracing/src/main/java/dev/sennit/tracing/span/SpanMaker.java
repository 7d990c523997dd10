/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

import dev.sennit.otlp.Resource;
import dev.sennit.tracing.Counters;
import dev.sennit.tracing.Recent;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.exchange.ExchangeListener;
import dev.sennit.tracing.protocol.Channel;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.traffic.Belonging;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.RequestIds;
import dev.sennit.tracing.traffic.RequestIds.Source;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes spans of exchanges: SERVER ▶ CLIENT ▶ SERVER, with the ids that were decided while the
 * bytes passed, so that what is exported and what went over the wire agree.
 *
 * <table>
 * <caption>Where ids come from</caption>
 * <tr><th>span</th><th>trace</th><th>span id</th><th>parent</th></tr>
 * <tr><td>SERVER, identified at its read</td><td>as decided</td><td>as decided</td>
 *     <td>the {@code traceparent}'s span</td></tr>
 * <tr><td>SERVER with {@code traceparent} only</td><td>the header's</td><td>new</td>
 *     <td>the header's span</td></tr>
 * <tr><td>CLIENT that got a header</td><td>the wire's</td><td>the wire's</td>
 *     <td>the span that it belongs to</td></tr>
 * <tr><td>CLIENT without one</td><td>that of the span it belongs to</td><td>new</td>
 *     <td>that span</td></tr>
 * <tr><td>any other</td><td>new</td><td>new</td><td>none</td></tr>
 * </table>
 */
public final class SpanMaker implements ExchangeListener {
  private static final int MOST_CALLERS = 4096;
  private static final int MOST_INJECTED = 16_384;

  private SpanSettings settings;
  private final Processes processes;
  private final HostClock clock;
  private final SplittableRandom random;
  private final Consumer<Span> next;
  private final Counters<SpanCount> counters = new Counters<>(SpanCount.class);

  private final ServedRequests requests = new ServedRequests();
  private @Nullable RequestListener listener;

  /** Of the requests that were read last, by their span: the span of whoever sent them. */
  private final Recent<Long, Long> callers = new Recent<>(MOST_CALLERS);

  /** The spans that were put into requests last, on their way out. */
  private final Recent<Long, Boolean> injected = new Recent<>(MOST_INJECTED);

  public SpanMaker(
      SpanSettings settings,
      Processes processes,
      HostClock clock,
      SplittableRandom random,
      Consumer<Span> next) {
    this.settings = settings;
    this.processes = processes;
    this.clock = clock;
    this.random = random;
    this.next = next;
  }

  /** Makes spans by other settings from now on. */
  public void change(SpanSettings newSettings) {
    settings = newSettings;
  }

  /** Tells of requests that are served from now on. */
  public void tell(RequestListener newListener) {
    listener = newListener;
  }

  public Counters<SpanCount> counters() {
    return counters;
  }

  @Override
  public void opened(Exchange exchange, Channel channel, Flow flow) {
    if (!channel.isServer()) {
      requests.calls(exchange);
      return;
    }
    TraceIds ids = serving(exchange);
    requests.began(exchange, ids);
    if (ids.parentId() != 0) {
      callers.put(ids.spanId(), ids.parentId());
    }
    if (listener != null) {
      listener.arrived(exchange, ids, clock.unixNanos(exchange.begin().time()));
    }
  }

  @Override
  public void injected(TraceIds ids) {
    injected.put(ids.spanId(), true);
  }

  @Override
  public void ended(Exchange exchange, Channel channel, Flow flow) {
    Resource resource = processes.resource(exchange.begin().pid());
    TraceIds known = channel.isServer() ? requests.ended(exchange) : requests.called(exchange);
    if (listener != null && channel.isServer() && known != null) {
      listener.answered(exchange, known, clock.unixNanos(exchange.end().time()));
    }
    counters.add(channel.isServer() ? SpanCount.SERVER : SpanCount.CLIENT);
    TraceIds reported = resource.isReportedBySdk() ? reported(exchange, channel.isServer()) : null;
    if (reported != null && settings.doubled() == SpanSettings.Doubled.DROP) {
      counters.add(SpanCount.REPORTED_BY_SDK);
      return;
    }
    TraceIds ids;
    if (reported != null) {
      ids = reported.child(random);
    } else if (channel.isServer()) {
      ids = known == null ? serving(exchange) : known;
    } else {
      ids = calling(exchange, known);
    }
    if (!ids.isSampled()) {
      counters.add(SpanCount.NOT_SAMPLED);
      return;
    }
    next.accept(span(exchange, channel, flow, resource, ids));
  }

  /**
   * The span that an SDK in the process reports of the exchange: that which it put into the
   * request, else that which the thread was in while it wrote what belongs to the exchange. Null if
   * there is none, and for a call that got its header on the way: the SDK knows nothing of it.
   */
  private static @Nullable TraceIds reported(Exchange exchange, boolean server) {
    RequestIds decision = exchange.decision();
    if (!server && decision != null) {
      if (decision.source() == Source.INJECTED) {
        return null;
      }
      if (decision.source() == Source.ADOPTED && decision.ids() != null) {
        return decision.ids();
      }
    }
    Belonging belonging = (server ? exchange.end() : exchange.begin()).belonging();
    return belonging != null && belonging.published() ? belonging.span() : null;
  }

  private TraceIds serving(Exchange exchange) {
    TraceIds carried = exchange.carried();
    RequestIds decision = exchange.decision();
    TraceIds decided = decision == null ? null : decision.ids();
    // What the request says comes first; of several requests in one read, one was identified.
    if (decided != null && (carried == null || carried.isSameTrace(decided))) {
      return decided;
    }
    return carried == null ? root() : carried.child(random);
  }

  private TraceIds calling(Exchange exchange, @Nullable TraceIds only) {
    Belonging belonging = exchange.begin().belonging();
    RequestIds decision = exchange.decision();
    TraceIds wire = decision == null ? null : decision.ids();
    if (decision != null && wire != null) {
      switch (decision.source()) {
        case INJECTED -> {
          counters.add(SpanCount.INJECTED);
          counters.add(wire.parentId() == 0 ? SpanCount.ROOT : SpanCount.PARENTED);
          return wire;
        }
        case ADOPTED -> {
          counters.add(SpanCount.ADOPTED);
          return adopted(wire, belonging, only);
        }
        case READ, LEFT_ALONE -> {}
      }
    }
    if (decision == null && exchange.carried() != null) {
      counters.add(SpanCount.ADOPTED);
      return adopted(exchange.carried(), belonging, only);
    }
    TraceIds parent = belonging == null ? only : belonging.span();
    if (parent != null) {
      counters.add(SpanCount.PARENTED);
      return parent.child(random);
    }
    counters.add(SpanCount.ROOT);
    return root();
  }

  /**
   * Whoever sent the request put the header in. What it says is the span of this call, unless a
   * proxy passes on what it was sent, or the thread the span that it is in: then the call has none.
   */
  private TraceIds adopted(TraceIds wire, @Nullable Belonging belonging, @Nullable TraceIds only) {
    long parent = wire.parentId();
    if (parent == 0 && belonging != null && belonging.span().isSameTrace(wire)) {
      parent = belonging.span().spanId();
    } else if (parent == 0 && only != null && only.isSameTrace(wire)) {
      parent = only.spanId();
    }
    Long caller = callers.get(parent);
    boolean passedOn = parent == wire.spanId() || (caller != null && caller == wire.spanId());
    return new TraceIds(
        wire.traceHigh(),
        wire.traceLow(),
        passedOn ? wire.child(random).spanId() : wire.spanId(),
        parent,
        wire.flags());
  }

  private TraceIds root() {
    return TraceIds.root(random, random.nextDouble() < settings.sampleRatio());
  }

  private Span span(
      Exchange exchange, Channel channel, Flow flow, Resource resource, TraceIds ids) {
    long start = clock.unixNanos(exchange.begin().time());
    return new Span(
        ids,
        channel.isServer() ? SpanKind.SERVER : SpanKind.CLIENT,
        exchange.name(),
        start,
        Math.max(start, clock.unixNanos(exchange.end().time())),
        exchange.protocol(),
        resource,
        SpanAttributes.of(exchange, channel),
        exchange.errorType(),
        link(exchange, channel.isServer()),
        new Ends(flow.number(), channel.client(), channel.server()),
        exchange.requestBytes(),
        exchange.responseBytes());
  }

  private Link link(Exchange exchange, boolean server) {
    TraceIds carried = exchange.carried();
    if (server && carried != null && injected.get(carried.spanId()) != null) {
      return Link.INJECTED;
    }
    if (server) {
      return carried == null ? Link.NONE : Link.ADOPTED;
    }
    RequestIds decision = exchange.decision();
    if (decision != null && decision.ids() != null) {
      return decision.source() == Source.INJECTED ? Link.INJECTED : Link.ADOPTED;
    }
    return carried == null ? Link.NONE : Link.ADOPTED;
  }
}
