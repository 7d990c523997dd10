/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.jdk;

import dev.sennit.agent.AgentEntry;
import java.lang.instrument.Instrumentation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What boot calls: an object of a JDK type, since reflection on a method with parameters would make
 * the JVM write classes for it, in every application's start.
 */
public final class Handover implements Consumer<@Nullable Object[]> {
  /**
   * Starts the agent.
   *
   * @param arguments the Instrumentation, the options or null, and whether it is a late attachment
   */
  @Override
  public void accept(@Nullable Object[] arguments) {
    if (arguments[0] instanceof Instrumentation instrumentation
        && arguments[2] instanceof Boolean late) {
      NativeAccess.enable(instrumentation);
      AgentEntry.start(instrumentation, (String) arguments[1], late);
    }
  }
}
