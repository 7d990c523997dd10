/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.traffic.TraceIds;

/**
 * Hears of the requests that processes serve when they arrive and when they are answered, with
 * their ids; long before there is a span of them.
 */
public interface RequestListener {
  /**
   * A request has arrived.
   *
   * @param time nanoseconds since 1970
   */
  void arrived(Exchange request, TraceIds ids, long time);

  /**
   * A request was answered, or will not be.
   *
   * @param time nanoseconds since 1970
   */
  void answered(Exchange request, TraceIds ids, long time);
}
