/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.FixedLimit;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is ended when it has been without a whole request for too long, wherever it is
 * then: before its first byte, in the middle of a head or of a body. Helidon by itself ends only
 * connections that wait for the first line of a request.
 */
final class WatchedConnection implements ServerConnection {
  private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

  private final ConnectionContext context;
  private final ServerConnectionSelector http1;
  private final ServerConnectionSelector http2;
  private final Duration idle;
  private final long beginning = System.nanoTime();
  private volatile @Nullable Thread thread;
  private volatile @Nullable ServerConnection known;

  WatchedConnection(
      ConnectionContext context,
      ServerConnectionSelector http1,
      ServerConnectionSelector http2,
      Duration idle) {
    this.context = context;
    this.http1 = http1;
    this.http2 = http2;
    this.idle = idle;
  }

  @Override
  public void handle(Limit limit) throws InterruptedException {
    thread = Thread.currentThread();
    try {
      ServerConnection connection = (saysHttp2() ? http2 : http1).connection(context);
      known = connection;
      connection.handle(limit);
    } catch (DataReader.InsufficientDataAvailableException e) {
      throw new CloseConnectionException("the client has gone", e);
    } finally {
      // The thread may serve somebody else next; who was about to interrupt it is too late.
      thread = null;
    }
  }

  /** Looks no further than to the first byte that no HTTP/2 client sends. */
  private boolean saysHttp2() {
    DataReader reader = context.dataReader();
    for (int i = 0; i < PREFACE.length; i++) {
      if (reader.getBuffer(i + 1).get(i) != PREFACE[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  @SuppressWarnings("removal") // to be implemented as long as it is there
  public void handle(Semaphore requests) throws InterruptedException {
    handle(FixedLimit.create(requests));
  }

  @Override
  public Duration idleTime() {
    @Nullable ServerConnection connection = known;
    return connection == null
        ? Duration.ofNanos(System.nanoTime() - beginning)
        : connection.idleTime();
  }

  @Override
  public void close(boolean interrupt) {
    @Nullable ServerConnection connection = known;
    boolean late = idleTime().compareTo(idle) > 0;
    if (connection != null) {
      connection.close(interrupt || late);
    } else {
      @Nullable Thread waiting = thread;
      if (waiting != null) {
        waiting.interrupt();
      }
    }
  }
}
