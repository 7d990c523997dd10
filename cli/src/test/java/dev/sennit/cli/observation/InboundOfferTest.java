/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.Target;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is observed can map what the programs tell threads; nobody else can, and nothing fails. */
@Requires(root = true)
class InboundOfferTest {
  @Test
  void observedProcessesGetItAndOthersDoNot() throws IOException {
    try (ObservedPrograms programs = ObservedPrograms.start(TracerSettings.defaults())) {
      Path socket = programs.observation().inboundSocket().orElseThrow();
      List<String> taker =
          ChildProcess.javaCommand(List.of(), InboundTaker.class, socket.toString());
      assertThat(programs.run(taker).readLine()).isEqualTo("mapped, 0");
      try (ChildProcess stranger = ChildProcess.start(taker)) {
        assertThat(stranger.readLine()).contains("handed nothing to this process");
      }
    }
  }

  @Test
  void itStaysWhenOtherProgramsTakeTheirPlaceAndGoesWithTheObservation() throws IOException {
    try (ChildProcess child = ChildProcess.start(List.of("sleep", "60"))) {
      List<Target> targets = List.of(new Target.OfProcess(child.pid()));
      Path socket;
      try (Hook hook = new Hook(event -> {})) {
        assertThat(hook.inboundSocket()).isEmpty();
        hook.change(HookUse.REQUIRED, TracerSettings.defaults(), targets, false);
        socket = hook.inboundSocket().orElseThrow();
        TracerSettings others = new TracerSettings.Builder().baggage(true).build();
        hook.change(HookUse.REQUIRED, others, targets, false);
        assertThat(hook.inboundSocket()).contains(socket);
        assertThat(socket).exists();
        hook.change(HookUse.OFF, others, targets, false);
        assertThat(hook.inboundSocket()).isEmpty();
      }
      assertThat(socket.getParent()).doesNotExist();
    }
  }

  @Test
  void whereItCannotBeHadThatIsSaid() {
    int self = Math.toIntExact(ProcessHandle.current().pid());
    try (ChildProcess child =
        ChildProcess.start(
            ChildProcess.javaCommand(
                List.of("-Djava.io.tmpdir=/nowhere"), HookDescriber.class, "" + self))) {
      assertThat(child.readLine())
          .startsWith("requests are seen")
          .contains("; processes are not told what their threads read: ")
          .contains("/nowhere");
      assertThat(child.readLine()).isEqualTo("Optional.empty");
    }
  }
}
