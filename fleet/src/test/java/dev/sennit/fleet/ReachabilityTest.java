/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class ReachabilityTest {
  @Test
  void oneBrokerIsEnough() throws IOException {
    try (ServerSocket broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatCode(() -> Reachability.check("127.0.0.1:1,127.0.0.1:" + broker.getLocalPort()))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void allThatCannotBeReachedAreNamedWithTheReason() {
    assertThatThrownBy(() -> Reachability.check("127.0.0.1:1,[::ffff:127.0.0.1]:2,h.invalid:3"))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "no broker can be reached: 127.0.0.1:1 (Connection refused),"
                + " [::ffff:127.0.0.1]:2 (Connection refused), h.invalid:3 (no such host)");
  }

  @Test
  void aPortThatCannotBeIsNamed() {
    assertThatThrownBy(() -> Reachability.check("127.0.0.1:70000"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1:70000");
  }
}
