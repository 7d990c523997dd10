/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.testing.server;

import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server program with a folder and a port of its own. Where the test runs as root, the server
 * runs as {@code nobody}: PostgreSQL refuses root, and no other needs it.
 */
abstract class ServerProcess implements AutoCloseable {
  private static final String USER = "nobody";

  private final Path folder;
  private final int port;
  private @Nullable ChildProcess process;
  private String endSignal = "TERM";

  ServerProcess(String name) {
    try {
      folder = Files.createTempDirectory("sennit-" + name + "-");
      if (isRoot()) {
        Files.getFileAttributeView(folder, PosixFileAttributeView.class)
            .setOwner(
                FileSystems.getDefault()
                    .getUserPrincipalLookupService()
                    .lookupPrincipalByName(USER));
      }
      try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = probe.getLocalPort();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Prepares and {@linkplain #run runs} it. */
  abstract void begin();

  /** Whatever fails on the way, nothing is left of it. */
  static <S extends ServerProcess> S begun(S server) {
    try {
      server.begin();
      return server;
    } catch (Throwable e) {
      server.close();
      throw e;
    }
  }

  final Path folder() {
    return folder;
  }

  public final int port() {
    return port;
  }

  /** Of the process that listens; PostgreSQL has a child of it for each connection. */
  public final int pid() {
    return process == null ? -1 : process.pid();
  }

  /** Writes a file that the server may read. */
  final Path file(String name, String content) {
    try {
      Path file = Files.writeString(folder.resolve(name), content);
      return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a program that prepares the folder, to its end. */
  final void prepare(String... command) {
    try (ChildProcess child = ChildProcess.start(builder(command))) {
      List<String> output = child.readAll();
      int status = child.waitFor();
      if (status != 0) {
        throw new AssertionError(
            command[0] + ": status " + status + "\n" + String.join("\n", output));
      }
    }
  }

  /**
   * Runs the server and waits until it says that it is ready.
   *
   * @param ready a part of the line that says so
   * @param endSignal ends it at once, whoever is connected
   */
  final void run(String ready, String endSignal, String... command) {
    ChildProcess child = ChildProcess.start(builder(command));
    process = child;
    this.endSignal = endSignal;
    List<String> output = new ArrayList<>();
    try {
      while (output.isEmpty() || !output.getLast().contains(ready)) {
        output.add(child.readLine());
      }
    } catch (AssertionError e) {
      throw new AssertionError(command[0] + " printed:\n" + String.join("\n", output), e);
    }
  }

  private ProcessBuilder builder(String... command) {
    List<String> words = new ArrayList<>();
    if (isRoot()) {
      words.addAll(
          List.of("setpriv", "--reuid=" + USER, "--regid=nogroup", "--clear-groups", "--"));
    }
    words.addAll(List.of(command));
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("LC_ALL", "C.UTF-8");
    return builder.redirectErrorStream(true);
  }

  private static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  @Override
  public final void close() {
    ChildProcess child = process;
    process = null;
    if (child != null) {
      try (child;
          ChildProcess kill =
              ChildProcess.start(List.of("kill", "-" + endSignal, String.valueOf(child.pid())))) {
        if (kill.waitFor() == 0) {
          child.waitFor();
        }
      }
    }
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
                throws IOException {
              Files.deleteIfExists(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
