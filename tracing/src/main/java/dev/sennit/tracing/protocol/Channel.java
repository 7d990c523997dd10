/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.traffic.Inflow;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection as a {@link Conversation} sees it. */
public interface Channel {
  /** The bytes of one side. */
  Inflow inflow(Side side);

  /** Whether the observed process is the server; it is the client otherwise. */
  boolean isServer();

  /** Whether the bytes were inside of TLS. */
  boolean isTls();

  /** The server's end; null on Unix sockets, and where it is not known. */
  @Nullable InetSocketAddress server();

  /** The client's end, likewise. */
  @Nullable InetSocketAddress client();

  /** Whether the connection was seen from its first byte on. */
  boolean isWhole();

  /** A request was seen that waits for its answer. */
  void opened(Exchange exchange);

  /** An exchange is complete, or ended as far as it can be. */
  void ended(Exchange exchange);

  /** Something was not understood; counted, and nothing else happens. */
  void lost(Lost reason);

  /**
   * From the next byte on the connection speaks something else, which is to be found out: after an
   * upgrade, or when TLS begins.
   */
  void switched();

  /** The connection does not speak the protocol after all. Another one is tried with what comes. */
  void mistaken();
}
