/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing.server;

import java.nio.file.Path;

/** A Redis server, and nobody else's. Needs {@value #COMMAND}. */
public final class RedisServer extends ServerProcess {
  /** What a test requires of the machine to have it. */
  public static final String COMMAND = "redis-server";

  private RedisServer() {
    super("redis");
  }

  /** Starts one that keeps nothing and asks for no password. */
  public static RedisServer start() {
    return begun(new RedisServer());
  }

  @Override
  void begin() {
    run(
        "Ready to accept connections",
        "TERM",
        COMMAND,
        "--bind",
        "127.0.0.1",
        "--port",
        String.valueOf(port()),
        "--unixsocket",
        socket().toString(),
        "--unixsocketperm",
        "777",
        "--dir",
        folder().toString(),
        "--save",
        "",
        "--appendonly",
        "no");
  }

  public Path socket() {
    return folder().resolve("redis.sock");
  }
}
