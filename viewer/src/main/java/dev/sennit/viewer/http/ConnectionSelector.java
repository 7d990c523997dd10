/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.http2.Http2Config;
import io.helidon.webserver.http2.Http2ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Set;

/**
 * Takes every connection before it has said anything. With more than one selector Helidon would
 * wait for the first bytes of a connection before it is known to whoever ends idle ones.
 */
final class ConnectionSelector implements ServerConnectionSelector {
  /** Enough for exporters, which share a connection; streams have buffers. */
  private static final int STREAMS = 128;

  private final ServerConnectionSelector http1 =
      Http1ConnectionSelector.builder().config(Http1Config.create()).build();
  private final ServerConnectionSelector http2 =
      Http2ConnectionSelector.builder()
          .http2Config(Http2Config.builder().maxConcurrentStreams(STREAMS).build())
          .build();
  private final ListenerLimits limits;

  ConnectionSelector(ListenerLimits limits) {
    this.limits = limits;
  }

  @Override
  public int bytesToIdentifyConnection() {
    return 0;
  }

  @Override
  public Support supports(BufferData data) {
    return Support.SUPPORTED;
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return Set.of("h2", "http/1.1");
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    return new WatchedConnection(context, http1, http2, limits.idle());
  }
}
