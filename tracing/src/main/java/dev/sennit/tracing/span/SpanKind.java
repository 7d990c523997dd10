/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

/** The side of an exchange that a span tells of. */
public enum SpanKind {
  SERVER,
  CLIENT
}
