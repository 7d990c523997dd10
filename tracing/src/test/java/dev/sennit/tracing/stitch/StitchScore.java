/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.span.SpanKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many of the joins are right, and how many of those that could be made were made. */
public final class StitchScore {
  private static final long BETWEEN_ADVANCES = 10_000_000;

  private final Map<Translation, long[]> byTranslation = new EnumMap<>(Translation.class);
  private long joined;
  private long right;

  private StitchScore() {
    for (Translation translation : Translation.values()) {
      byTranslation.put(translation, new long[3]);
    }
  }

  /** Of joins by the ids of SERVER spans, to those of CLIENT spans. */
  public static StitchScore of(Map<Long, Long> joins, GroundTruth truth) {
    StitchScore score = new StitchScore();
    truth
        .calls()
        .forEach(
            (server, call) -> {
              if (!truth.isLost(server) && !truth.isLost(call.clientSpan())) {
                score.count(call)[0]++;
              }
            });
    joins.forEach(
        (server, client) -> {
          score.joined++;
          GroundTruth.Call call = truth.calls().get(server);
          boolean isRight = call != null && call.clientSpan() == client;
          score.right += isRight ? 1 : 0;
          if (call != null) {
            score.count(call)[isRight ? 1 : 2]++;
          }
        });
    return score;
  }

  private long[] count(GroundTruth.Call call) {
    return byTranslation.getOrDefault(call.translation(), new long[3]);
  }

  /** What a stitcher makes of spans as they come. */
  public static List<Span> stitch(Stitcher stitcher, List<Arrival> arrivals) {
    List<Span> out = new ArrayList<>(arrivals.size());
    long next = 0;
    for (Arrival arrival : arrivals) {
      if (arrival.time() >= next) {
        stitcher.advance(arrival.time(), out::add);
        next = arrival.time() + BETWEEN_ADVANCES;
      }
      stitcher.add(arrival.span(), out::add);
    }
    stitcher.flush(out::add);
    return out;
  }

  /** The joins that are in the spans that came out. */
  public static Map<Long, Long> joins(Collection<Span> spans) {
    Map<Long, Long> joins = new HashMap<>();
    for (Span span : spans) {
      if (span.kind() == SpanKind.SERVER && span.link() == Link.STITCHED) {
        joins.put(span.ids().spanId(), span.ids().parentId());
      }
    }
    return joins;
  }

  public long joined() {
    return joined;
  }

  public double precision() {
    return joined == 0 ? 1 : (double) right / joined;
  }

  /** Of the joins of calls with this translation; those of what nobody observed called are not. */
  public double precision(Translation translation) {
    long[] counts = byTranslation.getOrDefault(translation, new long[3]);
    return counts[1] + counts[2] == 0 ? 1 : (double) counts[1] / (counts[1] + counts[2]);
  }

  public double recall(Translation translation) {
    long[] counts = byTranslation.getOrDefault(translation, new long[3]);
    return counts[0] == 0 ? 1 : (double) counts[1] / counts[0];
  }

  public double recallOfTranslated() {
    long possible = 0;
    long found = 0;
    for (Translation translation : Translation.values()) {
      if (translation != Translation.NONE) {
        long[] counts = byTranslation.getOrDefault(translation, new long[3]);
        possible += counts[0];
        found += counts[1];
      }
    }
    return possible == 0 ? 1 : (double) found / possible;
  }
}
