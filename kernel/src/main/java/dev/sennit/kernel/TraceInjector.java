/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.util.Optional;

/** Tells the system in which trace a thread works, so that what it sends can say so. */
public interface TraceInjector {
  /** From now on what the thread sends belongs to this span, until it reads another request. */
  void setTraceContext(int pid, int tid, TraceIds ids);

  /** Answers false when the thread had none. */
  boolean clearTraceContext(int pid, int tid);

  /** The request that the thread works for. */
  Optional<TraceIds> getTraceContext(int pid, int tid);

  /** Whether requests get a traceparent here at all. */
  boolean supportsInjection();
}
