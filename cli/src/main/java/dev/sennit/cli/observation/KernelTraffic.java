/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.kernel.ring.EventConsumer;
import dev.sennit.kernel.ring.KernelEvent;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.tracing.traffic.Belonging;
import dev.sennit.tracing.traffic.Flow;
import dev.sennit.tracing.traffic.Piece;
import dev.sennit.tracing.traffic.RequestIds;
import dev.sennit.tracing.traffic.RequestIds.Source;
import dev.sennit.tracing.traffic.TraceIds;
import dev.sennit.tracing.traffic.TrafficEvent;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells what the kernel's programs have seen in the words of {@code tracing}. */
final class KernelTraffic implements EventConsumer {
  private static final int IN_PROGRESS = -115;
  private static final int MOST_FLOWS = 16_384;

  private record Key(long number, boolean tls) {}

  private final Consumer<TrafficEvent> next;
  private final HostProcesses processes;

  /** Most events are of connections that are known; their ends are not read again. */
  private final Map<Key, Flow> flows =
      new LinkedHashMap<>(1024, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Flow> eldest) {
          return size() > MOST_FLOWS;
        }
      };

  KernelTraffic(Consumer<TrafficEvent> next, HostProcesses processes) {
    this.next = next;
    this.processes = processes;
  }

  @Override
  public void onEvent(KernelEvent event) {
    switch (event.kind()) {
      case ACCEPT -> next.accept(new TrafficEvent.Opened(flow(event, false), piece(event)));
      case CONNECT -> {
        if (event.result() >= 0 || event.result() == IN_PROGRESS) {
          next.accept(new TrafficEvent.Opened(flow(event, false), piece(event)));
        }
      }
      case IN -> read(event, false);
      case TLS_IN -> read(event, true);
      case OUT -> written(event, false);
      case TLS_OUT -> written(event, true);
      case SHORT -> next.accept(new TrafficEvent.Sent(flow(event, false), event.size()));
      case REQUEST -> next.accept(new TrafficEvent.Decided(flow(event, false), decision(event)));
      case CLOSE -> {
        Flow flow = flow(event, false);
        flows.remove(new Key(flow.number(), false));
        flows.remove(new Key(flow.number(), true));
        next.accept(new TrafficEvent.Closed(flow, piece(event)));
      }
      case EXEC -> {
        String name = new String(event.payload(), StandardCharsets.UTF_8);
        int end = name.indexOf(0);
        processes.begun(event.pid(), end < 0 ? name : name.substring(0, end));
      }
      case CONTEXT -> processes.published(event.pid());
      case FORK -> processes.forked(event.pid(), event.result());
      case EXIT -> {
        next.accept(new TrafficEvent.Ended(piece(event)));
        processes.ended(event.pid());
      }
      case SHUTDOWN, LOG, NAMED, IO_URING, UNREAD, NONE -> {}
    }
  }

  private void read(KernelEvent event, boolean tls) {
    Piece piece = piece(event);
    if (event.hasContext()) {
      TraceIds ids =
          new TraceIds(
              event.traceIdHigh(),
              event.traceIdLow(),
              event.spanIdNumber(),
              event.parentIdNumber(),
              event.traceFlags() & 0xff);
      piece.decided(new RequestIds(ids, Source.READ));
    }
    move(event, tls, false, piece);
  }

  private void written(KernelEvent event, boolean tls) {
    Belonging belonging = null;
    if (event.hasContext()) {
      TraceIds span =
          new TraceIds(
              event.traceIdHigh(),
              event.traceIdLow(),
              event.parentIdNumber(),
              0,
              event.traceFlags() & 0xff);
      belonging = new Belonging(span, event.parentSource() == Outcome.PARENT_RECORD);
    }
    move(event, tls, true, new Piece(event.time(), event.pid(), event.tid(), belonging));
  }

  private void move(KernelEvent event, boolean tls, boolean written, Piece piece) {
    processes.seen(event.pid());
    long size = Integer.toUnsignedLong(event.size());
    next.accept(new TrafficEvent.Moved(flow(event, tls), written, piece, event.payload(), size));
  }

  private static Piece piece(KernelEvent event) {
    return new Piece(event.time(), event.pid(), event.tid());
  }

  private static RequestIds decision(KernelEvent event) {
    Source source =
        switch (event.outcome()) {
          case INJECTED, INJECTED_SPLIT -> Source.INJECTED;
          case ADOPTED -> Source.ADOPTED;
          default -> Source.LEFT_ALONE;
        };
    TraceIds ids =
        source == Source.LEFT_ALONE || !event.hasContext()
            ? null
            : new TraceIds(
                event.traceIdHigh(),
                event.traceIdLow(),
                event.spanIdNumber(),
                event.parentIdNumber(),
                event.traceFlags() & 0xff);
    return new RequestIds(ids, source);
  }

  private Flow flow(KernelEvent event, boolean tls) {
    Flow.Way way =
        switch (event.way()) {
          case UNKNOWN -> Flow.Way.UNKNOWN;
          case INBOUND -> Flow.Way.ACCEPTED;
          case OUTBOUND -> Flow.Way.CONNECTED;
        };
    Key key = new Key(event.connection(), tls);
    Flow known = flows.get(key);
    if (known != null
        && known.way() == way
        && port(known.local()) == event.localPort()
        && port(known.remote()) == event.remotePort()) {
      return known;
    }
    Flow flow =
        event.isUnix()
            ? new Flow(event.connection(), tls, way, null, null)
            : new Flow(event.connection(), tls, way, event.local(), event.remote());
    flows.put(key, flow);
    return flow;
  }

  private static int port(@Nullable InetSocketAddress end) {
    return end == null ? 0 : end.getPort();
  }
}
