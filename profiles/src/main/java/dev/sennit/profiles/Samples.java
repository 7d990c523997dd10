/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.otlp.ProtobufEncoder;
import dev.sennit.profiles.dictionary.SampleIdentities;
import java.util.Arrays;

/**
 * The samples of a profile, in columns. Sample i has the observations starts[i] to starts[i + 1].
 */
final class Samples {
  final SampleShape shape;
  final int[] stacks;
  final int[] attributeSets;
  final int[] links;
  final int[] starts;

  /** The bytes that the values of each sample take as varints; 0 if there are none. */
  final long[] packedValues;

  /** The places of the events, sample by sample; none if the samples are aggregated. */
  private final int[] order;

  private final long[][] timestamps;

  /** By place, or by sample if the samples are aggregated. */
  private final long[][] values;

  private Samples(
      SampleShape shape,
      SampleIdentities identities,
      int[] present,
      int[] starts,
      long[] packedByIdentity,
      int[] order,
      long[][] timestamps,
      long[][] values) {
    this.shape = shape;
    this.starts = starts;
    this.order = order;
    this.timestamps = timestamps;
    this.values = values;
    stacks = new int[present.length];
    attributeSets = new int[present.length];
    links = new int[present.length];
    packedValues = new long[present.length];
    for (int i = 0; i < present.length; i++) {
      stacks[i] = identities.stack(present[i]);
      attributeSets[i] = identities.attributeSet(present[i]);
      links[i] = identities.link(present[i]);
      packedValues[i] = packedByIdentity[present[i]];
    }
  }

  static Samples of(SampleIdentities identities, EventColumns events) {
    int[] next = events.countByIdentity(identities.size());
    int[] present = new int[next.length];
    int[] starts = new int[next.length + 1];
    int samples = 0;
    int total = 0;
    for (int identity = 0; identity < next.length; identity++) {
      int count = next[identity];
      next[identity] = total;
      if (count > 0) {
        present[samples] = identity;
        total += count;
        starts[++samples] = total;
      }
    }
    int[] order = new int[total];
    events.distribute(next, order);
    long[] packed = events.packedByIdentity(next.length);
    events.dropIdentities();
    return new Samples(
        events.hasValues() ? SampleShape.TIMESTAMPS_AND_VALUES : SampleShape.TIMESTAMPS,
        identities,
        Arrays.copyOf(present, samples),
        Arrays.copyOf(starts, samples + 1),
        packed,
        order,
        events.timestampBlocks(),
        events.valueBlocks());
  }

  static Samples aggregated(SampleIdentities identities, long[] sums) {
    int[] present = new int[identities.size()];
    int samples = 0;
    for (int identity = 0; identity < present.length; identity++) {
      if (sums[identity] != 0) {
        present[samples++] = identity;
      }
    }
    long[] values = new long[samples];
    int[] starts = new int[samples + 1];
    long[] packed = new long[present.length];
    for (int i = 0; i < samples; i++) {
      values[i] = sums[present[i]];
      packed[present[i]] = ProtobufEncoder.sizeOfVarint(values[i]);
      starts[i + 1] = i + 1;
    }
    return new Samples(
        SampleShape.AGGREGATED,
        identities,
        Arrays.copyOf(present, samples),
        starts,
        packed,
        new int[0],
        new long[0][],
        new long[][] {values});
  }

  long timestamp(int sample, int k) {
    if (shape == SampleShape.AGGREGATED) {
      throw new IllegalStateException("sample " + sample + " is aggregated and has no timestamp");
    }
    return EventColumns.at(timestamps, order[starts[sample] + k]);
  }

  long value(int sample, int k) {
    return switch (shape) {
      case TIMESTAMPS -> 1;
      case TIMESTAMPS_AND_VALUES -> EventColumns.at(values, order[starts[sample] + k]);
      case AGGREGATED -> values[0][starts[sample] + k];
    };
  }
}
