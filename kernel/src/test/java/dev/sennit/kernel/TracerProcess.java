/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A tracer in a process of its own, which a test can kill. */
final class TracerProcess {
  private TracerProcess() {}

  public static void main(String[] arguments) throws IOException {
    Cgroup cgroup = new Cgroup(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    KernelTracer.start(
        new TracerSettings.Builder().startTraces(true).build(),
        List.of(new Target.OfCgroup(cgroup)),
        event -> {});
    System.out.println("ready");
    while (true) {
      LockSupport.park();
    }
  }
}
