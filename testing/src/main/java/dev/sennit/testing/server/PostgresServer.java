/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** A PostgreSQL server, and nobody else's. Needs {@value #COMMAND} of the package postgresql. */
public final class PostgresServer extends ServerProcess {
  /** What a test requires of the machine to have it. */
  public static final String COMMAND = "pg_ctlcluster";

  public static final String USER = "sennit";
  public static final String PASSWORD = "pg-secret-7391";
  public static final String DATABASE = "shop";

  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

  private PostgresServer() {
    super("postgres");
  }

  /** Starts one in which {@link #USER} owns {@link #DATABASE}. It takes TCP and a Unix socket. */
  public static PostgresServer start() {
    return begun(new PostgresServer());
  }

  @Override
  void begin() {
    String programs = programs().toString();
    String data = folder().resolve("data").toString();
    prepare(
        programs + "/initdb",
        "--no-sync",
        "--username=" + USER,
        "--auth-local=trust",
        "--auth-host=scram-sha-256",
        "--encoding=UTF8",
        "--pwfile=" + file("password", PASSWORD),
        data);
    run(
        "ready to accept connections",
        "INT",
        programs + "/postgres",
        "-D",
        data,
        "-p",
        String.valueOf(port()),
        "-c",
        "listen_addresses=127.0.0.1",
        "-c",
        "unix_socket_directories=" + folder(),
        "-c",
        "fsync=off",
        "-c",
        "logging_collector=off");
    prepare(
        programs + "/createdb",
        "-h",
        folder().toString(),
        "-p",
        String.valueOf(port()),
        "-U",
        USER,
        DATABASE);
  }

  private static Path programs() {
    try (var versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("postgres")))
          .max(Comparator.comparing(Path::toString))
          .orElseThrow(() -> new AssertionError("no bin/postgres in a folder of " + VERSIONS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder of the Unix socket, as clients want it for a host. */
  public Path socketFolder() {
    return folder();
  }
}
