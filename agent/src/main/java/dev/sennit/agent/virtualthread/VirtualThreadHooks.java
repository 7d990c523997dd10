/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import java.lang.instrument.Instrumentation;

/** Placeholder. */
public final class VirtualThreadHooks {
  private VirtualThreadHooks() {}

  public static boolean install(Instrumentation instrumentation) {
    return instrumentation.isRetransformClassesSupported();
  }
}
