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
public final class MariaDbServer extends ServerProcess {
  /** What a test requires of the machine to have it. */
  public static final String COMMAND = "mariadbd";

  public static final String USER = "sennit";
  public static final String PASSWORD = "my-secret-2846";
  public static final String DATABASE = "shop";

  private MariaDbServer() {
    super("mariadb");
  }

  /** Starts one in which {@link #USER} owns everything, {@link #DATABASE} included. */
  public static MariaDbServer start() {
    return begun(new MariaDbServer());
  }

  @Override
  void begin() {
    Path data = folder().resolve("data");
    prepare(
        "mariadb-install-db",
        "--no-defaults",
        "--datadir=" + data,
        "--skip-test-db",
        "--skip-name-resolve",
        "--auth-root-authentication-method=normal");
    Path first =
        file(
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
    run(
        "ready for connections",
        "TERM",
        "mariadbd",
        "--no-defaults",
        "--datadir=" + data,
        "--bind-address=127.0.0.1",
        "--port=" + port(),
        "--socket=" + socket(),
        "--pid-file=" + folder().resolve("mariadbd.pid"),
        "--init-file=" + first,
        "--skip-name-resolve",
        "--local-infile=1",
        "--max-allowed-packet=64M",
        "--innodb-flush-log-at-trx-commit=0",
        "--innodb-buffer-pool-size=32M");
  }

  public Path socket() {
    return folder().resolve("mariadbd.sock");
  }
}
