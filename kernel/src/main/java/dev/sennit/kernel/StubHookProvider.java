/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.ring.Outcome;
import java.util.Map;
import java.util.Optional;

/**
 * For systems whose kernel takes no programs: everything else of Sennit works there, and this says
 * why tracing does not.
 */
public final class StubHookProvider implements HookProvider {
  private final String reason;

  public StubHookProvider(String reason) {
    this.reason = reason;
  }

  @Override
  public void activate() {
    // There is nothing to switch on.
  }

  @Override
  public void deactivate() {
    // There is nothing to switch off.
  }

  @Override
  public boolean isActive() {
    return false;
  }

  @Override
  public TraceInjector injector() {
    return NO_INJECTOR;
  }

  @Override
  public Map<Outcome, Long> counters() {
    return Map.of();
  }

  @Override
  public String describe() {
    return "tracing needs a Linux kernel that takes BPF programs: " + reason;
  }

  @Override
  public void close() {
    // Nothing was opened.
  }

  private static final TraceInjector NO_INJECTOR =
      new TraceInjector() {
        @Override
        public void setTraceContext(int pid, int tid, TraceIds ids) {
          // Nobody would read it.
        }

        @Override
        public boolean clearTraceContext(int pid, int tid) {
          return false;
        }

        @Override
        public Optional<TraceIds> getTraceContext(int pid, int tid) {
          return Optional.empty();
        }

        @Override
        public boolean supportsInjection() {
          return false;
        }
      };
}
