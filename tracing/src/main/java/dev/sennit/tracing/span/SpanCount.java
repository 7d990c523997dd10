/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

/** What became of exchanges. Each has a counter. */
public enum SpanCount {
  SERVER,
  CLIENT,
  /** Its ids were put into the request on the way. */
  INJECTED,
  /** The request had ids already. */
  ADOPTED,
  /** It belongs to a request that its process was serving. */
  PARENTED,
  /** It belongs to nothing that is certain. */
  ROOT,
  NOT_SAMPLED,
  /** An SDK in the process reports it. */
  REPORTED_BY_SDK
}
