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
record ProfileSlice(Profile profile, int number, int from, int to) {
  /** Later slices have ids of their own: who removes duplicates by id must not lose them. */
  long profileIdHigh() {
    return profile.profileIdHigh() ^ number * 0x9E3779B97F4A7C15L;
  }

  /** The payload goes with the first slice alone. */
  @Nullable OriginalPayload originalPayload() {
    return number == 0 ? profile.originalPayload() : null;
  }
}
