/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.SampleIdentities;
import org.jspecify.annotations.Nullable;

/**
 * One profile: what was measured, when, and its samples. Strings, stacks, links and attribute sets
 * are indices into the {@link dev.sennit.profiles.dictionary.ProfilesDictionary} that it was made
 * with. Samples are columns, not objects; the observations of a sample are a run in the events,
 * found through an order, so that the events themselves stay where they were read to.
 */
public final class Profile {
  private final int sampleType;
  private final int sampleUnit;
  private final int periodType;
  private final int periodUnit;
  private final long period;
  private final long timeUnixNano;
  private final long durationNano;
  private final long profileIdHigh;
  private final long profileIdLow;
  private final int attributeSet;
  private final @Nullable OriginalPayload originalPayload;
  private final Samples samples;

  private Profile(Builder builder) {
    sampleType = builder.sampleType;
    sampleUnit = builder.sampleUnit;
    periodType = builder.periodType;
    periodUnit = builder.periodUnit;
    period = builder.period;
    timeUnixNano = builder.timeUnixNano;
    durationNano = builder.durationNano;
    profileIdHigh = builder.profileIdHigh;
    profileIdLow = builder.profileIdLow;
    attributeSet = builder.attributeSet;
    originalPayload = builder.originalPayload;
    samples = builder.samples;
  }

  /**
   * A profile of events: those of one identity become one sample, in the order in which they came.
   * Identities without an event are left out. The events belong to the profile from now on.
   */
  public static Builder of(SampleIdentities identities, EventColumns events) {
    return new Builder(Samples.of(identities, events));
  }

  /** A profile of sums: {@code values[i]} is that of identity i, which is left out if it is 0. */
  public static Builder aggregated(SampleIdentities identities, long[] values) {
    return new Builder(Samples.aggregated(identities, values));
  }

  /** Index of the string that says what was measured. */
  public int sampleType() {
    return sampleType;
  }

  public int sampleUnit() {
    return sampleUnit;
  }

  public int periodType() {
    return periodType;
  }

  public int periodUnit() {
    return periodUnit;
  }

  public long period() {
    return period;
  }

  public long timeUnixNano() {
    return timeUnixNano;
  }

  /** The end is exclusive: a timestamp lies before time + duration. */
  public long durationNano() {
    return durationNano;
  }

  /** The first half of the id, big-endian; both halves are 0 if there is none. */
  public long profileIdHigh() {
    return profileIdHigh;
  }

  public long profileIdLow() {
    return profileIdLow;
  }

  public boolean hasProfileId() {
    return (profileIdHigh | profileIdLow) != 0;
  }

  public int attributeSet() {
    return attributeSet;
  }

  public @Nullable OriginalPayload originalPayload() {
    return originalPayload;
  }

  public SampleShape shape() {
    return samples.shape;
  }

  public int sampleCount() {
    return samples.stacks.length;
  }

  public int stack(int sample) {
    return samples.stacks[sample];
  }

  public int attributeSet(int sample) {
    return samples.attributeSets[sample];
  }

  public int link(int sample) {
    return samples.links[sample];
  }

  /** How many timestamps or values (or pairs of them) the sample has. */
  public int observations(int sample) {
    return samples.starts[sample + 1] - samples.starts[sample];
  }

  /** The bytes that the values of a sample take as varints; 0 if there are timestamps alone. */
  long packedValues(int sample) {
    return samples.packedValues[sample];
  }

  /** The k-th timestamp of a sample; there is none if the profile is aggregated. */
  public long timestamp(int sample, int k) {
    return samples.timestamp(sample, k);
  }

  /** The k-th value of a sample; 1 where a timestamp alone was recorded. */
  public long value(int sample, int k) {
    return samples.value(sample, k);
  }

  /** Sets what a profile says beside its samples; all of it may be left out. */
  public static final class Builder {
    private final Samples samples;
    private int sampleType;
    private int sampleUnit;
    private int periodType;
    private int periodUnit;
    private long period;
    private long timeUnixNano;
    private long durationNano;
    private long profileIdHigh;
    private long profileIdLow;
    private int attributeSet;
    private @Nullable OriginalPayload originalPayload;

    private Builder(Samples samples) {
      this.samples = samples;
    }

    public Builder sampleType(int typeIndex, int unitIndex) {
      sampleType = typeIndex;
      sampleUnit = unitIndex;
      return this;
    }

    public Builder period(int typeIndex, int unitIndex, long period) {
      periodType = typeIndex;
      periodUnit = unitIndex;
      this.period = period;
      return this;
    }

    public Builder time(long unixNano, long durationNano) {
      timeUnixNano = unixNano;
      this.durationNano = durationNano;
      return this;
    }

    public Builder profileId(long high, long low) {
      profileIdHigh = high;
      profileIdLow = low;
      return this;
    }

    public Builder attributeSet(int attributeSet) {
      this.attributeSet = attributeSet;
      return this;
    }

    public Builder originalPayload(@Nullable OriginalPayload payload) {
      originalPayload = payload;
      return this;
    }

    public Profile build() {
      return new Profile(this);
    }
  }
}
