/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.kernel.Observation.Seen;
import dev.sennit.kernel.ring.EventKind;
import dev.sennit.kernel.ring.Outcome;
import dev.sennit.kernel.ring.Way;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plaintext that a process tells by itself, with the socket or by a mark of its first record. */
@Requires(root = true, commands = "python3")
final class ToldPlaintextTest {
  @TempDir private Path folder;

  @Test
  void whatIsToldHasTheEndsOfItsConnection() throws Exception {
    try (Observation observation = Observation.start(TracerSettings.defaults())) {
      ChildProcess program = observation.run(List.of("python3", program()));
      int port = Integer.parseInt(program.expect("port ").strip());
      assertThat(program.waitFor()).isZero();

      for (String path : List.of("/descriptor", "/mark")) {
        Seen asked =
            observation.await(event -> event.kind() == EventKind.TLS_OUT && asks(event, path));
        Seen served =
            observation.await(event -> event.kind() == EventKind.TLS_IN && asks(event, path));
        assertThat(asked.way()).isEqualTo(Way.OUTBOUND);
        assertThat(asked.remotePort()).isEqualTo(port);
        assertThat(served.way()).isEqualTo(Way.INBOUND);
        assertThat(served.localPort()).isEqualTo(port);
        assertThat(served.remotePort()).isEqualTo(asked.localPort());
        assertThat(served.hasContext()).isTrue();
        observation.await(
            event ->
                event.kind() == EventKind.TLS_OUT
                    && event.connection() == served.connection()
                    && event.payload().startsWith("HTTP/1.1 200"));
      }
      assertThat(observation.events())
          .noneMatch(event -> asks(event, "/nothing"))
          .noneMatch(event -> asks(event, "/long"))
          .noneMatch(event -> asks(event, "/short"));
      assertThat(observation.count(Outcome.TLS_WITHOUT_SOCKET)).isEqualTo(3);
    }
  }

  private static boolean asks(Seen event, String path) {
    return event.payload().startsWith("GET " + path + " ");
  }

  private String program() throws IOException {
    Path file = folder.resolve("told_plaintext.py");
    try (InputStream in = ToldPlaintextTest.class.getResourceAsStream("told_plaintext.py")) {
      Files.write(file, in.readAllBytes());
    }
    return file.toString();
  }
}
