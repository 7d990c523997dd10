/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An application that interrupts every thread it finds. */
class InterruptedSamplerTest {
  private static final int INTERRUPTS = 20;

  /** Interrupts the sampler again and again, each time as soon as it waits as if nothing was. */
  static final class Interrupting {
    private Interrupting() {}

    public static void main(String[] arguments) {
      CallStackSampler sampler =
          CallStackSampler.startIfEnabled(System::getenv, System::getProperty);
      if (sampler == null) {
        throw new IllegalStateException("there is no sampler");
      }
      Thread thread =
          Thread.getAllStackTraces().keySet().stream()
              .filter(found -> found.getName().equals("sennit-call-stacks"))
              .findAny()
              .orElseThrow();
      while (!sampler.status().contains(": 1 dumps")) {
        Thread.onSpinWait();
      }
      for (int i = 0; i < INTERRUPTS; i++) {
        thread.interrupt();
        while (thread.isInterrupted() || thread.getState() != Thread.State.TIMED_WAITING) {
          Thread.onSpinWait();
        }
      }
      System.out.println(sampler.status());
    }
  }

  @Test
  void waitsOnForTheNextTick() {
    try (LogCollector collector = LogCollector.start();
        ChildProcess program =
            SampledProgram.start(
                Interrupting.class,
                Map.of(
                    "SPLUNK_PROFILER_ENABLED", "true",
                    "SPLUNK_PROFILER_LOGS_ENDPOINT", collector.endpoint(),
                    "SPLUNK_PROFILER_CALL_STACK_INTERVAL", "3600000"))) {
      assertThat(program.readLine()).startsWith("call stacks: 1 dumps, 0 failed, 0 ticks left out");
    }
  }
}
