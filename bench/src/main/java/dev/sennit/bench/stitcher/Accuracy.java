/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.stitcher;

import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.stitch.Arrival;
import dev.sennit.tracing.stitch.GeneratedTraffic;
import dev.sennit.tracing.stitch.PlainRule;
import dev.sennit.tracing.stitch.StitchScore;
import dev.sennit.tracing.stitch.Stitcher;
import dev.sennit.tracing.stitch.StitcherCounts;
import dev.sennit.tracing.stitch.StitcherSettings;
import dev.sennit.tracing.stitch.Translation;
import java.util.List;
import java.util.Locale;

/** What the stitcher and the plain rule make of the same traffic. */
record Accuracy(
    int rate,
    double exchangesPerSecond,
    StitcherCounts counts,
    StitchScore ours,
    StitchScore plain) {

  static Accuracy measure(long seed, int rate, int seconds) {
    GeneratedTraffic traffic = GeneratedTraffic.of(seed, rate, seconds);
    Stitcher stitcher = new Stitcher(StitcherSettings.defaults());
    List<Span> out = StitchScore.stitch(stitcher, traffic.arrivals());
    if (out.size() != traffic.arrivals().size()) {
      throw new IllegalStateException(
          traffic.arrivals().size() + " spans went in and " + out.size() + " came out");
    }
    List<Span> in = traffic.arrivals().stream().map(Arrival::span).toList();
    return new Accuracy(
        rate,
        (double) traffic.truth().size() / seconds,
        stitcher.counts(),
        StitchScore.of(StitchScore.joins(out), traffic.truth()),
        StitchScore.of(PlainRule.joins(in), traffic.truth()));
  }

  double precision() {
    return ours.precision();
  }

  double recallOfSameEnds() {
    return ours.recall(Translation.NONE);
  }

  String row(boolean met) {
    return String.format(
        Locale.ROOT,
        "| %,d | %,.0f | %.2f | %.2f | %.2f | %.2f | %.2f | %,d | %s | %.2f | %.2f | %.2f |",
        rate,
        exchangesPerSecond,
        100 * ours.precision(),
        100 * ours.recall(Translation.NONE),
        100 * ours.recall(Translation.OF_SERVER),
        100 * ours.recall(Translation.OF_CLIENT),
        100 * ours.recall(Translation.OF_BOTH),
        counts.ambiguous(),
        met ? "yes" : "NO",
        100 * plain.precision(),
        100 * plain.recall(Translation.NONE),
        100 * plain.recallOfTranslated());
  }
}
