/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing.server;

import java.nio.file.Path;

/**
 * A MariaDB server, and nobody else's. Needs {@value #COMMAND} of mariadb-server-core, and
 * mariadb-client-core.
 */
public final class MariaDbServer implements AutoCloseable {
  /** What a test requires of the machine to have it. */
  public static final String COMMAND = "mariadbd";

  public static final String USER = "sennit";
  public static final String PASSWORD = "my-secret-2846";
  public static final String DATABASE = "shop";

  private final ServerProcess server;

  private MariaDbServer(ServerProcess server) {
    this.server = server;
  }

  /** Starts one in which {@link #USER} owns everything, {@link #DATABASE} included. */
  public static MariaDbServer start() {
    ServerProcess server = new ServerProcess("mariadb");
    try {
      Path data = server.folder().resolve("data");
      server.prepare(
          "mariadb-install-db",
          "--no-defaults",
          "--datadir=" + data,
          "--skip-test-db",
          "--skip-name-resolve",
          "--auth-root-authentication-method=normal");
      Path first =
          server.file(
              "first.sql",
              "CREATE DATABASE "
                  + DATABASE
                  + ";\nCREATE USER '"
                  + USER
                  + "'@'%' IDENTIFIED BY '"
                  + PASSWORD
                  + "';\nGRANT ALL ON *.* TO '"
                  + USER
                  + "'@'%';\n");
      server.start(
          "ready for connections",
          "TERM",
          "mariadbd",
          "--no-defaults",
          "--datadir=" + data,
          "--bind-address=127.0.0.1",
          "--port=" + server.port(),
          "--socket=" + socket(server),
          "--pid-file=" + server.folder().resolve("mariadbd.pid"),
          "--init-file=" + first,
          "--skip-name-resolve",
          "--local-infile=1",
          "--max-allowed-packet=64M",
          "--innodb-flush-log-at-trx-commit=0",
          "--innodb-buffer-pool-size=32M");
      return new MariaDbServer(server);
    } catch (Throwable e) {
      server.close();
      throw e;
    }
  }

  private static Path socket(ServerProcess server) {
    return server.folder().resolve("mariadbd.sock");
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
