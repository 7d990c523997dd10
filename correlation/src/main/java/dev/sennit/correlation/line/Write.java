/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.line;

import dev.sennit.correlation.record.NativeName;
import dev.sennit.correlation.record.SpanContext;
import org.jspecify.annotations.Nullable;

/**
 * One call by which a thread wrote to a log.
 *
 * @param descriptor of the file, in the process
 * @param time nanoseconds since 1970
 * @param bytes holds what was written, from its beginning; read before the next write is told
 * @param size how many bytes of it
 * @param whole whether these are all that were written
 * @param told what is known of the thread at that moment
 * @param span the span that the thread was in; null if that is not certain
 * @param name of the thread
 */
@SuppressWarnings("ArrayRecordComponent") // a view of what the caller reads into
public record Write(
    int pid,
    int tid,
    int descriptor,
    long time,
    byte[] bytes,
    int size,
    boolean whole,
    Told told,
    @Nullable SpanContext span,
    NativeName name) {

  /** What is known of a thread at the moment of a write. */
  public enum Told {
    /** Its own record says which span it is in. */
    BY_RECORD,
    /** It was seen to serve one request, and not to answer from elsewhere. */
    BY_THREAD,
    /** Its process keeps records, and this thread's says that it is in no span. */
    IN_NONE,
    /** Nothing. */
    NOTHING
  }
}
