/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

import org.jspecify.annotations.Nullable;

/**
 * What was decided about a request while its bytes passed.
 *
 * @param ids of its span: for one that was read those of the serving span, for one that was sent
 *     those on the wire; null where it was decided to have none
 * @param source where they are from
 */
public record RequestIds(@Nullable TraceIds ids, Source source) {
  /** Where the ids of a request are from. */
  public enum Source {
    /** Made for a request that was read, below what its {@code traceparent} says if it had one. */
    READ,
    /** Put into a request that was sent. */
    INJECTED,
    /** Found in a request that was sent: whoever sent it propagates by itself. */
    ADOPTED,
    /** The request was sent without any. */
    LEFT_ALONE
  }
}
