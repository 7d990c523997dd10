/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.otlp.AttributeValue;
import dev.sennit.tracing.span.Ends;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.span.SpanKind;
import dev.sennit.tracing.stitch.GeneratedService.Route;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Ten services that call each other, simulated event by event, and the spans that observers of each
 * process would see: all of one endpoint, without ids on the wire. Users call three of the
 * services; some calls go to services that nobody observes. Times of work have a heavy tail, those
 * on the way are random, a connection has one request at a time. Clocks differ by up to 5 ms. One
 * span in ten is lost, and the rest come late and out of order.
 */
public final class GeneratedTraffic {
  private static final int SERVICES = 10;
  private static final int ENTRIES = 3;
  private static final int NEIGHBOURS = 3;
  private static final int USERS = 64;
  private static final long BEGIN = 1_790_000_000_000_000_000L;
  private static final double MILLISECOND = 1e6;
  private static final double LOST = 0.1;
  private static final double TAIL = 1.5;
  private static final double LONGEST_WORK = 1e9;

  private record Event(long time, long number, Runnable action) {}

  private final SplittableRandom random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::number));
  private final List<GeneratedService> services = new ArrayList<>();
  private final List<Route> users = new ArrayList<>();
  private final List<Route> unobserved = new ArrayList<>();
  private final List<Arrival> arrivals = new ArrayList<>();
  private final GroundTruth truth = new GroundTruth();
  private long now = BEGIN;
  private long numbers;

  private GeneratedTraffic(long seed) {
    random = new SplittableRandom(seed);
    build();
  }

  /** The traffic of some seconds, the same for the same seed. */
  public static GeneratedTraffic of(long seed, int requestsPerSecond, double seconds) {
    GeneratedTraffic traffic = new GeneratedTraffic(seed);
    traffic.run(requestsPerSecond, BEGIN + (long) (seconds * 1e9));
    return traffic;
  }

  /** In the order in which they come. */
  public List<Arrival> arrivals() {
    return arrivals;
  }

  public GroundTruth truth() {
    return truth;
  }

  /**
   * Every service calls the next three; one in five of these pairs has its addresses translated.
   */
  private void build() {
    for (int i = 0; i < SERVICES; i++) {
      services.add(new GeneratedService(i, random));
    }
    Translation[] kinds = {Translation.OF_SERVER, Translation.OF_CLIENT, Translation.OF_BOTH};
    int pairs = 0;
    int translated = 0;
    for (int from = 0; from < SERVICES; from++) {
      GeneratedService service = services.get(from);
      for (int to = from + 1; to < SERVICES && to <= from + NEIGHBOURS; to++) {
        Translation translation =
            pairs++ % 5 == 2 ? kinds[translated++ % kinds.length] : Translation.NONE;
        service.connect(services.get(to), translation, random);
      }
      unobserved.add(service.strangers(USERS, false, random));
      if (from < ENTRIES) {
        users.add(service.strangers(USERS, true, random));
      }
    }
  }

  private void run(int requestsPerSecond, long end) {
    long time = BEGIN;
    while (true) {
      time += (long) (exponential() * 1e9 / requestsPerSecond);
      if (time >= end) {
        break;
      }
      Route from = users.get(random.nextInt(ENTRIES));
      at(time, () -> use(from));
    }
    for (Event event = events.poll(); event != null; event = events.poll()) {
      now = event.time;
      event.action.run();
    }
    arrivals.sort(Comparator.comparingLong(Arrival::time));
  }

  private void use(Route users) {
    users.acquire(
        wire -> {
          GeneratedService entry = users.to;
          if (entry != null) {
            serve(
                entry,
                wire.server(),
                null,
                0,
                new Result(random),
                done -> at(done, () -> users.release(wire)));
          }
        });
  }

  /** What both sides see of one exchange. */
  private record Result(long requestBytes, long responseBytes, long status) {
    Result(SplittableRandom random) {
      this(300 + random.nextInt(4), 1000 + random.nextInt(8), random.nextInt(50) == 0 ? 500 : 200);
    }
  }

  /** The caller's span is only for the truth. */
  private void serve(
      GeneratedService service,
      Ends ends,
      GroundTruth.@Nullable Call call,
      int depth,
      Result result,
      LongConsumer done) {
    TraceIds ids = TraceIds.root(service.ids, true);
    if (call != null) {
      truth.called(call.clientSpan(), ids.spanId(), call.translation());
    }
    long start = now;
    int calls = depth == 0 ? 1 + random.nextInt(2) : Math.max(0, random.nextInt(4) - 1);
    work(
        service,
        ids,
        depth,
        service.routes.isEmpty() ? 0 : Math.min(calls, 2),
        () -> {
          emit(service, SpanKind.SERVER, ids, start, ends, result);
          done.accept(now);
        });
  }

  /** Works, calls, and works again, as often as there are calls left. */
  private void work(GeneratedService service, TraceIds ids, int depth, int calls, Runnable end) {
    double time = service.shortestWork * Math.pow(random.nextDouble(), -1 / TAIL) / (calls + 1);
    at(
        now + (long) Math.min(time, LONGEST_WORK),
        calls == 0
            ? end
            : () -> call(service, ids, depth, () -> work(service, ids, depth, calls - 1, end)));
  }

  private void call(GeneratedService service, TraceIds parent, int depth, Runnable then) {
    Route route =
        random.nextInt(20) == 0
            ? unobserved.get(services.indexOf(service))
            : service.routes.get(random.nextInt(service.routes.size()));
    route.acquire(
        wire -> {
          TraceIds ids = parent.child(service.ids);
          long start = now;
          Result result = new Result(random);
          LongConsumer answered =
              time ->
                  at(
                      time + onTheWay(),
                      () -> {
                        emit(service, SpanKind.CLIENT, ids, start, wire.client(), result);
                        route.release(wire);
                        then.run();
                      });
          GeneratedService to = route.to;
          long there = now + onTheWay();
          if (to == null) {
            answered.accept(there + (long) (exponential() * 10 * MILLISECOND));
          } else {
            GroundTruth.Call call = new GroundTruth.Call(ids.spanId(), route.translation);
            at(there, () -> serve(to, wire.server(), call, depth + 1, result, answered));
          }
        });
  }

  private void emit(
      GeneratedService service, SpanKind kind, TraceIds ids, long start, Ends ends, Result result) {
    if (random.nextDouble() < LOST) {
      truth.lost(ids.spanId());
      return;
    }
    Map<String, AttributeValue> attributes =
        Map.of(
            "http.request.method",
            AttributeValue.of("GET"),
            kind == SpanKind.SERVER ? "url.path" : "url.full",
            AttributeValue.of(kind == SpanKind.SERVER ? "/api" : "http://service/api"),
            "http.response.status_code",
            AttributeValue.of(result.status));
    double late = random.nextInt(100) == 0 ? 500 : 150;
    arrivals.add(
        new Arrival(
            now + (long) (random.nextDouble() * late * MILLISECOND),
            new Span(
                ids,
                kind,
                "GET",
                start + service.skew,
                now + service.skew,
                "http",
                service.resource,
                attributes,
                null,
                Link.NONE,
                ends,
                result.requestBytes,
                result.responseBytes)));
  }

  /** In nanoseconds: cables, the kernel, and until the thread runs; now and then much longer. */
  private long onTheWay() {
    double usual = 40_000 + exponential() * 100_000;
    return (long) (random.nextInt(100) == 0 ? usual + exponential() * 2 * MILLISECOND : usual);
  }

  private double exponential() {
    return -Math.log(1 - random.nextDouble());
  }

  private void at(long time, Runnable action) {
    events.add(new Event(time, numbers++, action));
  }
}
