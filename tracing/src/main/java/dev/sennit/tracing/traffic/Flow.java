/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection as it is heard of, on one of its ends.
 *
 * @param number of the socket on its host
 * @param tls whether the bytes were heard of inside of TLS
 * @param way who began it
 * @param local null on Unix sockets
 * @param remote null on Unix sockets, and of datagrams to many
 */
public record Flow(
    long number,
    boolean tls,
    Way way,
    @Nullable InetSocketAddress local,
    @Nullable InetSocketAddress remote) {

  /** Who began a connection. */
  public enum Way {
    /** Not known: it is older than what hears of it. */
    UNKNOWN,
    /** The other end; the process serves. */
    ACCEPTED,
    /** The process; the other end serves. */
    CONNECTED
  }
}
