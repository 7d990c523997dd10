/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Off means nothing at all. */
class SwitchedOffTest {
  private static final String PACKAGE = CallStackSampler.class.getPackageName();

  @Test
  void startsNoThreadAndLoadsNoClassOfItsOwnUnlessAsked() {
    assertThat(run(Map.of())).containsExactly(CallStackSampler.class.getName());
  }

  @Test
  void staysOffAndSaysWhyWhenASettingIsWrong() {
    assertThat(run(Map.of("SPLUNK_PROFILER_ENABLED", "yes")))
        .containsExactly(CallStackSampler.class.getName());
    assertThat(errors).contains("SPLUNK_PROFILER_ENABLED=yes is not true or false");

    run(Map.of("SPLUNK_PROFILER_ENABLED", "true", "SPLUNK_PROFILER_CALL_STACK_INTERVAL", "soon"));
    assertThat(errors)
        .contains("call stacks are not sampled: SPLUNK_PROFILER_CALL_STACK_INTERVAL=soon");
  }

  private String errors = "";

  /** The classes of the sampler that a program has loaded, which has none of its threads. */
  private List<String> run(Map<String, String> settings) {
    try (ChildProcess program =
        SampledProgram.start(
            ThreadStates.class, settings, List.of("-Xlog:class+load:stdout:none"))) {
      List<String> loaded = new ArrayList<>();
      String line = program.readLine();
      while (!line.startsWith("ready")) {
        String name = line.strip().split(" ")[0];
        if (name.startsWith(PACKAGE + ".") && !name.startsWith(ThreadStates.class.getName())) {
          loaded.add(name);
        }
        line = program.readLine();
      }
      assertThat(line).isEqualTo("ready false false");
      program.send("end");
      program.waitFor();
      errors = program.errors();
      return loaded;
    }
  }
}
