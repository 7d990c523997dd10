/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * Is told of every change of a context, by the thread that makes it. It must be quick, must not
 * block, and must not throw: it runs wherever an application or an SDK changes its span, and at
 * every mount and unmount of a virtual thread.
 *
 * <p>All ids are zero when there is no context any more.
 */
public interface ContextObserver {
  /** The calling thread, platform or virtual, has set its context. */
  void changed(long traceIdHigh, long traceIdLow, long spanId, int flags);

  /**
   * A virtual thread with this context was mounted on the calling carrier or, without one, has left
   * it.
   */
  void carrierChanged(long traceIdHigh, long traceIdLow, long spanId, int flags);
}
