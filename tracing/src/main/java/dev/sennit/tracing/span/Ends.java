/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The two ends of a connection as one process sees them; behind address translation the other
 * process sees others.
 *
 * @param connection a number that is the connection's on its host, on this end
 * @param client null on Unix sockets and where it is not known
 * @param server likewise
 */
public record Ends(
    long connection, @Nullable InetSocketAddress client, @Nullable InetSocketAddress server) {}
