/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.line;

import dev.sennit.correlation.line.Write.Told;
import dev.sennit.correlation.parse.LineParser;
import dev.sennit.correlation.record.NativeName;
import dev.sennit.correlation.record.SpanContext;
import org.jspecify.annotations.Nullable;

/**
 * A line with all that belongs to it, such as a stack trace.
 *
 * @param time when its first byte was written, in nanoseconds since 1970
 * @param bytes without the end of the last line
 * @param cut whether more was written than is here
 * @param told what was known of the thread when its first byte was written
 * @param span the span that the thread was in; null if that is not certain
 * @param name of the thread
 * @param shared whether several lines were written at once, so that they need not be the thread's
 * @param parser the one that knows the other lines of the descriptor
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them, and copies would cost
public record Line(
    int pid,
    int tid,
    int descriptor,
    long time,
    byte[] bytes,
    boolean cut,
    Told told,
    @Nullable SpanContext span,
    NativeName name,
    boolean shared,
    LineParser parser) {}
