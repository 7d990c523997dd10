/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.time.Duration;

/**
 * How long a stitcher waits and how much it remembers.
 *
 * @param window how long after the end of a SERVER span its other side may come
 * @param patience how long spans are held whose trace has not shown its root yet
 * @param threshold how many times likelier a pair must be than any other that is possible; what
 *     falls short is ambiguous
 * @param skew the largest difference of two hosts' clocks that is looked for
 * @param heldSpans at most so many spans are held, and twice as many remembered for comparison
 * @param rememberedTraces of so many traces it is known how they ended, for what comes late
 * @param rememberedConnections of so many connections it is known who used them
 * @param sameClientEnd whether behind address translation only those connections are compared of
 *     which both sides know the client's end; for a stitcher that sees the spans of some client
 *     ends and never those of the others
 */
public record StitcherSettings(
    Duration window,
    Duration patience,
    double threshold,
    Duration skew,
    int heldSpans,
    int rememberedTraces,
    int rememberedConnections,
    boolean sameClientEnd) {

  private static final int MOST_TIMES = 1_000_000;

  public StitcherSettings {
    check("window", window);
    check("patience", patience);
    if (!(threshold >= 1 && threshold <= MOST_TIMES)) {
      throw new IllegalArgumentException(
          "threshold is " + threshold + ", but must be from 1 to " + MOST_TIMES);
    }
    check("skew", skew);
    check("heldSpans", heldSpans);
    check("rememberedTraces", rememberedTraces);
    check("rememberedConnections", rememberedConnections);
  }

  /** A window of one second, and some 100 MB at most. */
  public static StitcherSettings defaults() {
    return new StitcherSettings(
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        20,
        Duration.ofMillis(20),
        100_000,
        100_000,
        32_768,
        false);
  }

  public StitcherSettings withWindow(Duration newWindow) {
    return new StitcherSettings(
        newWindow,
        patience,
        threshold,
        skew,
        heldSpans,
        rememberedTraces,
        rememberedConnections,
        sameClientEnd);
  }

  public StitcherSettings withThreshold(double newThreshold) {
    return new StitcherSettings(
        window,
        patience,
        newThreshold,
        skew,
        heldSpans,
        rememberedTraces,
        rememberedConnections,
        sameClientEnd);
  }

  public StitcherSettings withPatience(Duration newPatience) {
    return new StitcherSettings(
        window,
        newPatience,
        threshold,
        skew,
        heldSpans,
        rememberedTraces,
        rememberedConnections,
        sameClientEnd);
  }

  public StitcherSettings withHeldSpans(int newHeldSpans) {
    return new StitcherSettings(
        window,
        patience,
        threshold,
        skew,
        newHeldSpans,
        rememberedTraces,
        rememberedConnections,
        sameClientEnd);
  }

  /** For one of several stitchers, over which spans are spread by the client's end. */
  public StitcherSettings asOneOfSeveral(int newHeldSpans, int newRememberedConnections) {
    return new StitcherSettings(
        window,
        patience,
        threshold,
        skew,
        newHeldSpans,
        newHeldSpans,
        newRememberedConnections,
        true);
  }

  private static void check(String name, Duration value) {
    if (value.isNegative() || value.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          name + " is " + value + ", but must be between nothing and one hour");
    }
  }

  private static void check(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + ", but must be at least 1");
    }
  }

  /** Scores are logarithms. */
  double margin() {
    return Math.log(threshold);
  }
}
