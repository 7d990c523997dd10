/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.jdk;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Method;

/**
 * Gives the agent's module native access without a word on the user's terminal, also where {@code
 * --illegal-native-access=deny} forbids it to everybody who was not named on the command line.
 *
 * <p>The JDK's own way, {@code ModuleLayer.Controller.enableNativeAccess}, needs native access
 * itself. What it calls in the end is {@code Module.implAddEnableNativeAccess}, in JDK 24 to 26 at
 * least. Where that is not to be had, the JVM prints its warning at the first native call.
 */
public final class NativeAccess {
  private NativeAccess() {}

  /** Never throws: without it the agent still works, if less quietly. */
  public static void enable(Instrumentation instrumentation) {
    Module agent = NativeAccess.class.getModule();
    if (agent.isNativeAccessEnabled()) {
      return;
    }
    try {
      JavaLang.open(instrumentation);
      Method method = Module.class.getDeclaredMethod("implAddEnableNativeAccess");
      method.setAccessible(true);
      method.invoke(agent);
    } catch (ReflectiveOperationException | RuntimeException e) {
      // The JVM's own warning says what there is to say.
    }
  }
}
