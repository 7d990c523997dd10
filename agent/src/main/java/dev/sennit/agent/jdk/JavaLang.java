/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.jdk;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;

/** Opens packages of the JDK to the agent's module, and to nobody else. */
public final class JavaLang {
  private JavaLang() {}

  /** Opens {@code java.lang}. */
  public static void open(Instrumentation instrumentation) {
    open(instrumentation, "java.lang");
  }

  /** Opens {@code java.util.concurrent}. */
  public static void openConcurrent(Instrumentation instrumentation) {
    open(instrumentation, "java.util.concurrent");
  }

  private static void open(Instrumentation instrumentation, String name) {
    Module base = Object.class.getModule();
    Module agent = JavaLang.class.getModule();
    if (!base.isOpen(name, agent)) {
      instrumentation.redefineModule(
          base, Set.of(), Map.of(), Map.of(name, Set.of(agent)), Set.of(), Map.of());
    }
  }
}
