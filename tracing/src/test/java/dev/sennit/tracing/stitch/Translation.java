/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

/** What happens to the addresses of a connection on its way. */
public enum Translation {
  /** Both sides see the same two ends. */
  NONE,
  /** The client connects to an address that stands for the server's. */
  OF_SERVER,
  /** The server sees an address that stands for the client's. */
  OF_CLIENT,
  /** Both. */
  OF_BOTH
}
