/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sennit.testing.Requires;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ServersTest {
  @Test
  @Requires(commands = PostgresServer.COMMAND)
  void postgresListensUntilItIsClosed() throws IOException {
    PostgresServer server = PostgresServer.start();
    Path folder = server.socketFolder();
    try (server) {
      connect(server.port());
      assertThat(folder.resolve(".s.PGSQL." + server.port())).exists();
    }
    assertGone(server.port(), folder);
  }

  @Test
  @Requires(commands = MariaDbServer.COMMAND)
  void mariaDbListensUntilItIsClosed() throws IOException {
    MariaDbServer server = MariaDbServer.start();
    Path socket = server.socket();
    try (server) {
      connect(server.port());
      assertThat(socket).exists();
    }
    assertGone(server.port(), socket);
  }

  @Test
  @Requires(commands = RedisServer.COMMAND)
  void redisListensUntilItIsClosed() throws IOException {
    RedisServer server = RedisServer.start();
    Path socket = server.socket();
    try (server) {
      connect(server.port());
      assertThat(socket).exists();
    }
    assertGone(server.port(), socket);
  }

  private static void connect(int port) throws IOException {
    new Socket(InetAddress.getLoopbackAddress(), port).close();
  }

  private static void assertGone(int port, Path file) {
    assertThat(file).doesNotExist();
    assertThatThrownBy(() -> connect(port)).isInstanceOf(IOException.class);
  }
}
