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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the records of threads are read, and when no more. */
@Requires(root = true)
final class ThreadRecordsTest {
  private static final String SPAN = "00-00000000000000010000000000000002-";

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

  private static void tell(ChildProcess client, String line) {
    client.send(line);
    client.expect("done");
  }
}
