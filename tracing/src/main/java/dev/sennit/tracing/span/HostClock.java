/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

/** Turns times of the monotonic clock into times that the world knows. */
@FunctionalInterface
public interface HostClock {
  /** Nanoseconds since 1970. */
  long unixNanos(long monotonicNanos);
}
