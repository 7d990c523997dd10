/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In a process of its own: somebody else's native code may end it. */
@Requires
class DatadogProfilerTest {
  @Test
  void thePeerLoadsStartsAndTakesContexts() {
    String peers = System.getProperty(AgentJar.PEERS_PROPERTY);
    try (ChildProcess child =
        ChildProcess.start(
            ChildProcess.javaCommand(
                List.of("-D" + AgentJar.PEERS_PROPERTY + "=" + peers), Peer.class))) {
      assertThat(child.readAll()).as(child.errors()).containsExactly("1.51.0");
      assertThat(child.waitFor()).as(child.errors()).isZero();
    }
  }

  static final class Peer {
    private Peer() {}

    public static void main(String[] arguments) throws Throwable {
      DatadogBenchmark benchmark = new DatadogBenchmark();
      benchmark.profiler = "running";
      benchmark.start();
      for (int i = 0; i < 1_000; i++) {
        benchmark.setAndClear(new Ids());
      }
      benchmark.stop();
      System.out.println(DatadogProfiler.version());
    }
  }
}
