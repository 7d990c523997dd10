/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import com.google.protobuf.ByteString;
import dev.sennit.fleet.trial.GeneratedRoute.End;
import dev.sennit.fleet.trial.GeneratedRoute.Wire;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Hosts whose services call each other, and the spans that an observer on each of them sees, nearly
 * all without ids on the wire. Users, whose side nobody sees, call all of them. Clocks differ, some
 * spans are lost, and what a host sends comes late at times, or twice.
 */
public final class GeneratedFleet {
  /**
   * How large it is.
   *
   * @param requestsPerSecond of users; each makes some eight spans
   * @param begin when the first user comes
   */
  public record Shape(long seed, int hosts, int requestsPerSecond, int spans, Instant begin) {}

  private static final double LOST = 0.02;
  private static final double CARRIED = 0.05;
  private static final int DEEPEST = 3;
  private static final int NEIGHBOURS = 4;
  private static final double MILLISECOND = 1e6;
  private static final int FLAGS = 0x101;
  private static final int REMOTE = 0x200;

  private final Shape shape;
  private final SplittableRandom random;
  private final List<GeneratedHost> hosts = new ArrayList<>();
  private final Map<Integer, GeneratedRoute> routes = new HashMap<>();
  private final FleetTruth truth = new FleetTruth();
  private final GeneratedUplinks uplinks;

  /** The ids of a span. */
  private record Ids(long high, long low, long span, long parent) {}

  /**
   * @param out takes what hosts send, in the order of its time
   */
  public GeneratedFleet(Shape shape, Consumer<HostBatch> out) {
    this.shape = shape;
    random = new SplittableRandom(shape.seed);
    for (int i = 0; i < shape.hosts; i++) {
      hosts.add(new GeneratedHost(i, random));
    }
    uplinks = new GeneratedUplinks(hosts, random.split(), out);
  }

  /** Lets it all happen. */
  public FleetTruth run() {
    long time = shape.begin.getEpochSecond() * 1_000_000_000L;
    while (truth.spans() < shape.spans) {
      time += (long) (exponential() * 1e9 / shape.requestsPerSecond);
      uplinks.sendUntil(time);
      GeneratedHost entry = hosts.get(random.nextInt(hosts.size()));
      Wire user =
          new Wire(
              new End("203.0.113.1", 1),
              new End("203.0.113.1", 1),
              new End("203.0.113." + random.nextInt(256), 1024 + random.nextInt(60_000)),
              new End(entry.address, 8080));
      Ids ids = root();
      truth.called(ids.span, 0, false);
      serve(entry, user, ids, time, 0);
    }
    uplinks.sendUntil(Long.MAX_VALUE);
    return truth;
  }

  private Ids root() {
    return new Ids(random.nextLong(), random.nextLong(), id(), 0);
  }

  private long id() {
    return random.nextLong() | 1;
  }

  /** Answers when the response goes. */
  private long serve(GeneratedHost host, Wire wire, Ids ids, long start, int depth) {
    long time = start + work();
    int calls = depth >= DEEPEST ? 0 : depth == 0 ? 1 + random.nextInt(2) : random.nextInt(3);
    for (int i = 0; i < calls; i++) {
      time = call(host, ids, time, depth) + work();
    }
    emit(host, SpanKind.SPAN_KIND_SERVER, ids, start, time, wire);
    return time;
  }

  /** Answers when the response has come. */
  private long call(GeneratedHost host, Ids parent, long start, int depth) {
    int step = 1 + random.nextInt(Math.min(NEIGHBOURS, hosts.size() - 1));
    GeneratedHost to = hosts.get((host.number + step) % hosts.size());
    GeneratedRoute route =
        routes.computeIfAbsent(
            host.number * hosts.size() + to.number, fresh -> new GeneratedRoute(host, to, random));
    Wire wire = route.acquire(start);
    Ids client = new Ids(parent.high, parent.low, id(), parent.span);
    boolean carried = random.nextDouble() < CARRIED;
    Ids server = carried ? new Ids(client.high, client.low, id(), client.span) : root();
    if (!carried) {
      truth.called(server.span, client.span, !route.isTranslated());
    }
    long served = serve(to, wire, server, start + onTheWay(), depth + 1);
    long end = served + onTheWay();
    wire.freeAt(end);
    emit(host, SpanKind.SPAN_KIND_CLIENT, client, start, end, wire);
    return end;
  }

  private void emit(GeneratedHost host, SpanKind kind, Ids ids, long start, long end, Wire wire) {
    if (random.nextDouble() < LOST) {
      return;
    }
    truth.sent(ids.span);
    boolean server = kind == SpanKind.SPAN_KIND_SERVER;
    Span.Builder span =
        Span.newBuilder()
            .setTraceId(bytes(ids.high, ids.low))
            .setSpanId(bytes(ids.span))
            .setName("GET")
            .setKind(kind)
            .setStartTimeUnixNano(start + host.skew)
            .setEndTimeUnixNano(end + host.skew)
            .setFlags(FLAGS | (server && ids.parent != 0 ? REMOTE : 0))
            .addAttributes(GeneratedHost.text("http.request.method", "GET"))
            .addAttributes(GeneratedHost.number("http.response.status_code", 200));
    if (ids.parent != 0) {
      span.setParentSpanId(bytes(ids.parent));
    }
    if (server) {
      span.addAttributes(GeneratedHost.text("url.path", "/api"));
      add(span, "network.local", wire.serverToServer);
      add(span, "network.peer", wire.clientToServer);
    } else {
      span.addAttributes(GeneratedHost.text("url.full", "http://service/api"));
      add(span, "network.local", wire.clientToClient);
      add(span, "network.peer", wire.serverToClient);
    }
    uplinks.add(host, end, span.build());
  }

  private static void add(Span.Builder span, String name, End end) {
    span.addAttributes(GeneratedHost.text(name + ".address", end.address()));
    span.addAttributes(GeneratedHost.number(name + ".port", end.port()));
  }

  private static ByteString bytes(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES);
    for (long value : values) {
      bytes.putLong(value);
    }
    return ByteString.copyFrom(bytes.flip());
  }

  /** In nanoseconds, with a heavy tail. */
  private long work() {
    return (long) Math.min(1e9, 300_000 * Math.pow(random.nextDouble(), -1 / 1.5));
  }

  private long onTheWay() {
    double usual = 40_000 + exponential() * 100_000;
    return (long) (random.nextInt(100) == 0 ? usual + exponential() * 2 * MILLISECOND : usual);
  }

  private double exponential() {
    return -Math.log(1 - random.nextDouble());
  }
}
