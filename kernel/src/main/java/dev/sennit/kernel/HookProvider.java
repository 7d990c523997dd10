/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.ring.Outcome;
import java.io.IOException;
import java.util.Map;

/**
 * What sees requests on this system, and can be switched on and off while it runs. Off means
 * detached: then nobody pays for it.
 */
public interface HookProvider extends AutoCloseable {
  /** Begins to see; does nothing when it does already. */
  void activate() throws IOException;

  /** Sees nothing more, and has let go of every socket when it returns. */
  void deactivate();

  boolean isActive();

  TraceInjector injector();

  /** How often each outcome came. */
  Map<Outcome, Long> counters();

  /** In a sentence, what works here and what does not. */
  String describe();

  @Override
  void close();
}
