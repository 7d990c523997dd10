/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.time.Duration;

/**
 * What the topology reads and writes, and how long it waits.
 *
 * @param application the name that instances have in common, by which they share the work
 * @param in the topic that spans come from
 * @param out the topic that they go to
 * @param deadLetter the topic for what cannot be read
 * @param partitions over so many the work is spread; it must not change while there is state
 * @param window how long after the end of a SERVER span its other side may come
 * @param grace how much later than that spans may come
 * @param retention for how long it is known what traces are called, and which spans came
 */
public record FleetSettings(
    String application,
    String in,
    String out,
    String deadLetter,
    int partitions,
    Duration window,
    Duration grace,
    Duration retention) {

  private static final int MOST_PARTITIONS = 4096;

  /** So long it may take until somebody has the work of one that was killed, with the broker. */
  private static final Duration TAKING_OVER = Duration.ofSeconds(30);

  private static final Duration SILENCE = Duration.ofSeconds(10);

  public FleetSettings {
    check("application-id", application);
    check("in", in);
    check("out", out);
    check("dead-letter", deadLetter);
    if (out.equals(in) || deadLetter.equals(in) || deadLetter.equals(out)) {
      throw new IllegalArgumentException(
          "in, out and dead-letter must differ, but are " + in + ", " + out + ", " + deadLetter);
    }
    if (partitions < 1 || partitions > MOST_PARTITIONS) {
      throw new IllegalArgumentException(
          "partitions is " + partitions + ", but must be from 1 to " + MOST_PARTITIONS);
    }
    check("window", window, Duration.ofMillis(10), Duration.ofMinutes(10));
    check("grace", grace, Duration.ZERO, Duration.ofMinutes(30));
    check("retention", retention, window.plus(grace), Duration.ofDays(7));
  }

  /** Kafka's own rule for the names of topics. */
  private static void check(String name, String value) {
    if (!value.matches("[a-zA-Z0-9._-]{1,200}")) {
      throw new IllegalArgumentException(
          name + " is '" + value + "', but must be letters, digits, '.', '_' and '-'");
    }
  }

  private static void check(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          name + " is " + text(value) + ", but must be from " + text(least) + " to " + text(most));
    }
  }

  private static String text(Duration value) {
    return value.toMillis() % 1000 == 0 ? value.toSeconds() + "s" : value.toMillis() + "ms";
  }

  /** What is said to traces goes through this topic. */
  String letters() {
    return application + "-letters";
  }

  /** How long a source is waited for that says nothing while others do. */
  Duration patience() {
    return grace.plus(TAKING_OVER);
  }

  /** How long all sources may say nothing before time goes on by the clock. */
  Duration silence() {
    return grace.plus(SILENCE);
  }

  /** How long a trace waits that begins, or may begin, with an unmatched SERVER span. */
  Duration waiting() {
    return window.plus(grace);
  }
}
