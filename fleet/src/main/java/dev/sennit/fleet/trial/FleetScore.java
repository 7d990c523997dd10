/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.HashMap;
import java.util.Map;

/** What came out, beside the truth. */
public final class FleetScore {
  private record Place(ByteString trace, long parent, boolean server) {}

  private final Map<Long, Place> spans = new HashMap<>();
  private long duplicates;

  /** Takes a request that came out. */
  public void add(ExportTraceServiceRequest request) {
    for (ResourceSpans resource : request.getResourceSpansList()) {
      for (ScopeSpans scope : resource.getScopeSpansList()) {
        for (Span span : scope.getSpansList()) {
          Place place =
              new Place(
                  span.getTraceId(),
                  span.getParentSpanId().isEmpty() ? 0 : number(span.getParentSpanId()),
                  span.getKind() == Span.SpanKind.SPAN_KIND_SERVER);
          duplicates += spans.put(number(span.getSpanId()), place) == null ? 0 : 1;
        }
      }
    }
  }

  private static long number(ByteString id) {
    return id.asReadOnlyByteBuffer().getLong();
  }

  /** How many different spans have come. */
  public int received() {
    return spans.size();
  }

  /**
   * The figures.
   *
   * @param lost spans that were sent and did not come
   * @param duplicates spans that came more than once
   * @param joined SERVER spans that have a parent although they came without
   * @param right of these, those whose parent is the right one
   * @param possible SERVER spans whose caller was sent too, and whose two sides see the same ends
   * @param found of these, those that have it as their parent
   * @param torn spans that are not in the trace of their parent, which has come too
   */
  public record Result(
      long sent,
      long received,
      long lost,
      long duplicates,
      long joined,
      long right,
      long possible,
      long found,
      long torn) {
    public double precision() {
      return joined == 0 ? 1 : (double) right / joined;
    }

    public double recall() {
      return possible == 0 ? 1 : (double) found / possible;
    }
  }

  /** Compares. */
  public Result result(FleetTruth truth) {
    long[] counts = new long[6];
    truth.sent().forEach(span -> counts[0] += spans.containsKey(span) ? 0 : 1);
    truth
        .calls()
        .forEach(
            (server, call) -> {
              Place place = spans.get(server);
              if (place == null) {
                return;
              }
              boolean isRight = place.parent != 0 && place.parent == call.clientSpan();
              counts[1] += place.parent == 0 ? 0 : 1;
              counts[2] += isRight ? 1 : 0;
              if (call.sameEnds() && truth.sent().contains(call.clientSpan())) {
                counts[3]++;
                counts[4] += isRight ? 1 : 0;
              }
            });
    spans.forEach(
        (id, place) -> {
          Place parent = spans.get(place.parent);
          counts[5] += parent != null && !parent.trace.equals(place.trace) ? 1 : 0;
        });
    return new Result(
        truth.spans(),
        spans.size(),
        counts[0],
        duplicates,
        counts[1],
        counts[2],
        counts[3],
        counts[4],
        counts[5]);
  }
}
