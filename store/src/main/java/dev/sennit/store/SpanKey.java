/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

/**
 * What names a span.
 *
 * @param traceId 32 hexadecimal digits, in lower case
 * @param spanId 16 hexadecimal digits, in lower case
 */
public record SpanKey(String traceId, String spanId) {}
