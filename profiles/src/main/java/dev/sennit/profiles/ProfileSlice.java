/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import org.jspecify.annotations.Nullable;

/**
 * The samples of a profile from {@code from} to {@code to} as one request holds them; {@code
 * number} counts the slices of the profile from 0.
 */
record ProfileSlice(Profile profile, int number, Cut from, Cut to) {
  /** A place between two samples, or between two observations of a sample. */
  record Cut(int sample, int observation) {}

  int firstSample() {
    return from.sample();
  }

  int endSample() {
    return to.observation() == 0 ? to.sample() : to.sample() + 1;
  }

  /** The first observation of a sample of the slice that belongs to it. */
  int firstObservation(int sample) {
    return sample == from.sample() ? from.observation() : 0;
  }

  int endObservation(int sample) {
    return sample == to.sample() ? to.observation() : profile.observations(sample);
  }

  /** Later slices have ids of their own: who removes duplicates by id must not lose them. */
  long profileIdHigh() {
    return profile.profileIdHigh() ^ number * 0x9E3779B97F4A7C15L;
  }

  /** The payload goes with the first slice alone. */
  @Nullable OriginalPayload originalPayload() {
    return number == 0 ? profile.originalPayload() : null;
  }
}
