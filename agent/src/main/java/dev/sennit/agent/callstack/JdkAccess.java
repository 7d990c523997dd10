/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.AgentLog;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;

/** Opens to this module the few packages of the JDK that dumps need. */
final class JdkAccess {
  private JdkAccess() {}

  /** Opens them; what cannot be opened is done without. */
  static void grant(Instrumentation instrumentation) {
    Set<Module> us = Set.of(JdkAccess.class.getModule());
    try {
      instrumentation.redefineModule(
          Object.class.getModule(),
          Set.of(),
          Map.of("jdk.internal.perf", us, "jdk.internal.vm", us),
          Map.of(),
          Set.of(),
          Map.of());
      ModuleLayer.boot()
          .findModule("jdk.management")
          .ifPresent(
              management ->
                  instrumentation.redefineModule(
                      management,
                      Set.of(),
                      Map.of(),
                      Map.of("com.sun.management.internal", us),
                      Set.of(),
                      Map.of()));
    } catch (RuntimeException e) {
      AgentLog.warn("call stacks do without some of the JDK's inner parts", e);
    }
  }
}
