/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.jdk;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;

/** Opens package {@code java.lang} to the agent's module, and to nobody else. */
public final class JavaLang {
  private JavaLang() {}

  public static void open(Instrumentation instrumentation) {
    Module base = Object.class.getModule();
    Module agent = JavaLang.class.getModule();
    if (!base.isOpen("java.lang", agent)) {
      instrumentation.redefineModule(
          base, Set.of(), Map.of(), Map.of("java.lang", Set.of(agent)), Set.of(), Map.of());
    }
  }
}
