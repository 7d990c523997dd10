/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.record.SpanContext;
import org.jspecify.annotations.Nullable;

/**
 * What is known of how a line was written, beside what it says.
 *
 * @param pid 0 if nobody knows
 * @param tid 0 if nobody knows
 * @param time when it was written, in nanoseconds since 1970
 * @param told what was known of the thread
 * @param span the span that the thread was in; null if that is not certain
 * @param shared whether lines of several threads were written at once
 * @param basis where pid, tid and time come from
 */
public record Evidence(
    int pid,
    int tid,
    long time,
    Told told,
    @Nullable SpanContext span,
    boolean shared,
    Basis basis) {

  /** Where it is known from which process, which thread and when a line was written. */
  public enum Basis {
    /** The write was seen, and the thread was looked at. */
    SEEN,
    /** The write was seen, but the line names another thread, of which this is the number. */
    NAMED,
    /** It is what the line says. */
    SAID
  }
}
