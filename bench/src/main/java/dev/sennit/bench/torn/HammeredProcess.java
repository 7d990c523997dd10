/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;

/** Another process with a {@link HammeredRing}, until it is closed or this one ends. */
public final class HammeredProcess implements AutoCloseable {
  private static final String GREETING = "ring ";

  private final ChildProcess process;
  private final long ring;

  private HammeredProcess(ChildProcess process, long ring) {
    this.process = process;
    this.ring = ring;
  }

  static HammeredProcess start() {
    ChildProcess process = ChildProcess.java(HammeredProcess.class);
    return new HammeredProcess(process, Long.parseLong(process.expect(GREETING)));
  }

  int pid() {
    return process.pid();
  }

  /** Address of the ring in that process. */
  long ring() {
    return ring;
  }

  @Override
  public void close() {
    process.close();
  }

  public static void main(String[] arguments) throws IOException {
    try (HammeredRing ring = HammeredRing.start()) {
      System.out.println(GREETING + ring.address());
      while (System.in.read() >= 0) {
        // Nothing is ever said; the end of input is the end of the parent.
      }
    }
  }
}
