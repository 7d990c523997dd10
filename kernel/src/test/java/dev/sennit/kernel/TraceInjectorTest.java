/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contexts that are set from outside, on this kernel and where there is none. */
final class TraceInjectorTest {
  private static final TraceIds IDS =
      new TraceIds("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", (byte) 1);

  @Test
  @Requires(root = true, commands = "gcc")
  void whatAThreadSendsBelongsToTheContextThatWasSet(@TempDir Path folder) throws Exception {
    Path program = CProgram.compile(TraceInjectorTest.class, "sender.c", folder);
    try (Observation observation = Observation.start(TracerSettings.defaults());
        Receiver receiver = new Receiver()) {
      ChildProcess sender = observation.run(List.of(program.toString()));
      TraceInjector injector = observation.tracer().injector();
      assertThat(injector.supportsInjection()).isTrue();
      injector.setTraceContext(sender.pid(), sender.pid(), IDS);
      assertThat(injector.getTraceContext(sender.pid(), sender.pid())).contains(IDS);
      assertThat(send(sender, receiver)).contains("traceparent: 00-" + IDS.traceId() + "-");

      assertThat(injector.clearTraceContext(sender.pid(), sender.pid())).isTrue();
      assertThat(injector.clearTraceContext(sender.pid(), sender.pid())).isFalse();
      assertThat(injector.getTraceContext(sender.pid(), sender.pid())).isEqualTo(Optional.empty());
      assertThat(send(sender, receiver)).doesNotContain("traceparent");
    }
  }

  private static String send(ChildProcess sender, Receiver receiver) throws InterruptedException {
    for (String line :
        List.of(
            "connect " + receiver.port(),
            "send "
                + HexFormat.of()
                    .formatHex("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
            "close")) {
      sender.send(line);
      assertThat(sender.readLine()).isEqualTo("ok");
    }
    return new String(receiver.next(), StandardCharsets.US_ASCII);
  }

  @Test
  void whereThereIsNoKernelForItTheStubSaysSo() {
    try (HookProvider stub = new StubHookProvider("this is macOS")) {
      stub.injector().setTraceContext(1, 1, IDS);

      assertThat(stub.injector().supportsInjection()).isFalse();
      assertThat(stub.injector().getTraceContext(1, 1)).isEmpty();
      assertThat(stub.injector().clearTraceContext(1, 1)).isFalse();
      assertThat(stub.isActive()).isFalse();
      assertThat(stub.counters()).isEmpty();
      assertThat(stub.describe()).contains("needs a Linux kernel").contains("this is macOS");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void idsAreCheckedWhenTheyAreMade() {
    assertThatThrownBy(() -> new TraceIds("0".repeat(32), IDS.spanId(), (byte) 0))
        .hasMessageContaining("trace id '000");
    assertThatThrownBy(() -> new TraceIds(IDS.traceId(), "XYZ", (byte) 0))
        .hasMessageContaining("span id 'XYZ'");
    assertThat(IDS.traceparent())
        .isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  }
}
