/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

/** One of the two directions of a connection. */
public enum Side {
  /** From the client to the server. */
  REQUESTS,
  /** From the server to the client. */
  RESPONSES;

  public Side other() {
    return this == REQUESTS ? RESPONSES : REQUESTS;
  }
}
