/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

/** Why something was not understood. Each has a counter. */
public enum Lost {
  /** Bytes that mattered were not captured. */
  GAP,
  /** The bytes break the rules of the protocol. */
  MALFORMED,
  /** A part is larger than what is held for it. */
  TOO_LARGE,
  /** A response to no request that was seen. */
  NO_REQUEST,
  /** More requests wait for their answers than are held. */
  TOO_MANY_OPEN,
  /** A way to use the protocol that is left alone. */
  UNSUPPORTED,
  /** No protocol was recognised. */
  UNKNOWN_PROTOCOL,
  /** A connection was forgotten to stay within the bound of memory. */
  EVICTED
}
