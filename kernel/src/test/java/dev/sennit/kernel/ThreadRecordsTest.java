/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.ring.EventKind;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the records of threads are looked for, and when they are read no more. */
@Requires(root = true, commands = "python3")
final class ThreadRecordsTest {
  private static final String SPAN = "00-00000000000000010000000000000002-";

  /** Names a mapping as others do, and then as a process record is named. */
  private static final String NAMING =
      """
      import ctypes, mmap, sys
      memory = mmap.mmap(-1, 4096)
      address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
      for name in [b"Go: heap", b"OTEL_CTX2", b"OTEL", b"", b"OTEL_CTX"]:
          ctypes.CDLL(None).prctl(
              0x53564d41, ctypes.c_ulong(0), ctypes.c_ulong(address), ctypes.c_ulong(4096), name)
      print("named", flush=True)
      sys.stdin.read()
      """;

  private Observation observation;
  private Backend backend;

  @BeforeEach
  void observe() {
    backend = new Backend();
    observation = Observation.start(TracerSettings.defaults());
  }

  @AfterEach
  void end() throws IOException {
    observation.close();
    backend.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"otel", "otep"})
  void recordsThatWereWithdrawnAreNobodysParent(String mode) throws Exception {
    ChildProcess client =
        observation.run(
            ChildProcess.javaCommand(
                List.of("-Dhttp.keepAlive=false"),
                WithdrawingClient.class,
                "" + backend.port(),
                mode));
    client.expect("ready");
    observation.await(event -> event.kind() == EventKind.CONTEXT);
    tell(client, "ask /before");
    assertThat(backend.values("/before", "traceparent"))
        .singleElement()
        .asString()
        .startsWith(SPAN);

    tell(client, "withdraw");
    // What was seen before this has been looked at.
    observation.await(event -> event.payload().startsWith("GET /marker"));
    tell(client, "ask /after");

    assertThat(backend.headers()).containsKey("/after");
    assertThat(backend.values("/after", "traceparent"))
        .noneMatch(header -> header.startsWith(SPAN));
  }

  @Test
  void onlyWhoNamesAProcessRecordIsLookedAt() throws Exception {
    ChildProcess process = observation.run(List.of("python3", "-c", NAMING));
    process.expect("named");
    observation.await(event -> event.kind() == EventKind.CONTEXT);
    process.endInput();
    observation.await(event -> event.kind() == EventKind.EXIT && event.pid() == process.pid());

    assertThat(observation.events(EventKind.CONTEXT)).hasSize(1);
  }

  private static void tell(ChildProcess client, String line) {
    client.send(line);
    client.expect("done");
  }
}
