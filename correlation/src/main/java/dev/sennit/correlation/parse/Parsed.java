/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.correlation.record.Severity;
import dev.sennit.correlation.record.SpanContext;
import dev.sennit.otlp.AttributeValue;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a line says.
 *
 * @param time nanoseconds since 1970; 0 if the line does not say it, or not whole
 * @param severityText as the line has it; null if it does not say it
 * @param body the message in UTF-8, or in whatever the line was written
 * @param attributes what else it says: logger, thread, fields of JSON
 * @param pid 0 if it does not say it
 * @param tid 0 if it does not say it
 * @param span the ids that its writer put into it; null if it did not
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them, and copies would cost
public record Parsed(
    long time,
    Severity severity,
    @Nullable String severityText,
    byte[] body,
    Map<String, AttributeValue> attributes,
    int pid,
    int tid,
    @Nullable SpanContext span) {}
