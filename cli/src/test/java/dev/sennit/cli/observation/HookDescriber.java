/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.kernel.Target;
import dev.sennit.kernel.TracerSettings;
import java.io.IOException;
import java.util.List;

/** Loads the programs for a process, prints what works, and ends. */
final class HookDescriber {
  private HookDescriber() {}

  public static void main(String[] arguments) throws IOException {
    List<Target> targets = List.of(new Target.OfProcess(Integer.parseInt(arguments[0])));
    try (Hook hook = new Hook(event -> {})) {
      hook.change(HookUse.REQUIRED, TracerSettings.defaults(), targets, false);
      System.out.println(hook.describe());
      System.out.println(hook.inboundSocket());
    }
  }
}
