/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.SampleIdentities;
import java.util.Arrays;

/** What was found of one type of profile: its samples, and their events or their sums. */
final class TypeSamples {
  final SampleIdentities identities = new SampleIdentities();
  final EventColumns events;
  private final boolean aggregate;
  private long[] sums = {};

  /** The time of the first event and of the last. */
  private long first = Long.MAX_VALUE;

  private long last = Long.MIN_VALUE;

  /** The periods that events themselves tell, summed up, and how many did. */
  private long periods;

  private long periodCount;

  TypeSamples(boolean weighted, boolean aggregate) {
    this.aggregate = aggregate;
    this.events =
        weighted && !aggregate ? EventColumns.ofTimestampsAndValues() : EventColumns.ofTimestamps();
  }

  void add(int stack, int attributeSet, int link, long time, long value) {
    int identity = identities.intern(stack, attributeSet, link);
    first = Math.min(first, time);
    last = Math.max(last, time);
    if (aggregate) {
      addSum(identity, value);
    } else {
      events.add(identity, time, value);
    }
  }

  private void addSum(int identity, long value) {
    if (identity >= sums.length) {
      sums = Arrays.copyOf(sums, Math.max(64, identity * 2));
    }
    sums[identity] += value;
  }

  void tellPeriod(long value) {
    periods += value;
    periodCount++;
  }

  /**
   * The period of the events, 0 if they do not tell. Where it changed it is the mean, by which
   * their number gives the time that they stand for.
   */
  long period() {
    return periodCount == 0 ? 0 : periods / periodCount;
  }

  boolean isEmpty() {
    return first > last;
  }

  long first() {
    return first;
  }

  long last() {
    return last;
  }

  long[] sums() {
    return Arrays.copyOf(sums, identities.size());
  }

  /** Takes the samples of a chunk, whose identity i is {@code renumbered[i]} here. */
  void addAll(TypeSamples chunk, int[] renumbered) {
    first = Math.min(first, chunk.first);
    last = Math.max(last, chunk.last);
    periods += chunk.periods;
    periodCount += chunk.periodCount;
    if (aggregate) {
      for (int i = 0; i < renumbered.length; i++) {
        addSum(renumbered[i], chunk.sums[i]);
      }
    } else {
      chunk.events.renumber(renumbered);
      events.addAll(chunk.events);
    }
  }
}
