/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http1;

/**
 * How the end of a message is found.
 *
 * @param length how many bytes follow; what the kind says if that is not {@code LENGTH}
 */
record Body(Kind kind, long length) {
  /** How the end of a body is found. */
  enum Kind {
    LENGTH,
    CHUNKED,
    UNTIL_END,
    /** What was said about it is missing or contradictory. */
    UNKNOWN
  }

  static final Body EMPTY = new Body(Kind.LENGTH, 0);
  static final Body CHUNKED = new Body(Kind.CHUNKED, 0);
  static final Body UNTIL_END = new Body(Kind.UNTIL_END, 0);
  static final Body UNKNOWN = new Body(Kind.UNKNOWN, 0);

  static Body ofLength(long length) {
    return length == 0 ? EMPTY : new Body(Kind.LENGTH, length);
  }
}
