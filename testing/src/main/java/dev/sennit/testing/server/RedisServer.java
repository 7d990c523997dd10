/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing.server;

import java.nio.file.Path;

/** A Redis server, and nobody else's. Needs {@value #COMMAND}. */
public final class RedisServer implements AutoCloseable {
  /** What a test requires of the machine to have it. */
  public static final String COMMAND = "redis-server";

  private final ServerProcess server;

  private RedisServer(ServerProcess server) {
    this.server = server;
  }

  /** Starts one that keeps nothing and asks for no password. */
  public static RedisServer start() {
    ServerProcess server = new ServerProcess("redis");
    try {
      server.start(
          "Ready to accept connections",
          "TERM",
          COMMAND,
          "--bind",
          "127.0.0.1",
          "--port",
          String.valueOf(server.port()),
          "--unixsocket",
          socket(server).toString(),
          "--unixsocketperm",
          "777",
          "--dir",
          server.folder().toString(),
          "--save",
          "",
          "--appendonly",
          "no");
      return new RedisServer(server);
    } catch (Throwable e) {
      server.close();
      throw e;
    }
  }

  private static Path socket(ServerProcess server) {
    return server.folder().resolve("redis.sock");
  }

  public int port() {
    return server.port();
  }

  public int pid() {
    return server.pid();
  }

  public Path socket() {
    return socket(server);
  }

  @Override
  public void close() {
    server.close();
  }
}
