/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

/** What the samples of a profile consist of; all samples of a profile have the same shape. */
public enum SampleShape {
  /** When it happened, and every time counts 1. */
  TIMESTAMPS,
  /** When it happened, with a value each time. */
  TIMESTAMPS_AND_VALUES,
  /** One value that sums up all that happened. */
  AGGREGATED
}
