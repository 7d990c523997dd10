/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A file that is there as a whole or not at all: it grows beside its place under another name and
 * is moved there when it is complete. In several parts, each has its number at the end of its name.
 */
final class OutputFile implements AutoCloseable {
  private final Path target;
  private final List<Path> parts = new ArrayList<>();
  private final Thread hook =
      Thread.ofPlatform().name("sennit-output-file").unstarted(this::deleteParts);

  OutputFile(Path target) throws IOException {
    // What a symbolic link leads to is replaced, not the link.
    this.target = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath();
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** The stream of the next part; the first is 0. */
  OutputStream open(int part) throws IOException {
    Path file =
        target.resolveSibling(
            "." + target.getFileName() + "." + ProcessHandle.current().pid() + "." + part);
    synchronized (parts) {
      parts.add(file);
    }
    return new BufferedOutputStream(
        Files.newOutputStream(
            file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING),
        1 << 16);
  }

  /** Puts what was written in its place; the result is the names. */
  List<Path> complete() throws IOException {
    List<Path> places = new ArrayList<>();
    synchronized (parts) {
      for (int i = 0; i < parts.size(); i++) {
        Path place = parts.size() == 1 ? target : part(i + 1);
        Files.move(parts.get(i), place, StandardCopyOption.REPLACE_EXISTING);
        places.add(place);
      }
      parts.clear();
    }
    return places;
  }

  /**
   * What an earlier run left under names that look like parts of this output: it is not deleted,
   * for it may be something else.
   *
   * @param count how many files this output has
   */
  List<Path> strays(int count) {
    List<Path> strays = new ArrayList<>();
    if (count > 1 && Files.exists(target)) {
      strays.add(target);
    }
    for (int i = count == 1 ? 1 : count + 1; Files.exists(part(i)); i++) {
      strays.add(part(i));
    }
    return strays;
  }

  private Path part(int number) {
    return target.resolveSibling(target.getFileName() + "." + number);
  }

  private void deleteParts() {
    synchronized (parts) {
      for (Path part : parts) {
        try {
          Files.deleteIfExists(part);
        } catch (IOException e) {
          System.err.println("sennit: could not delete " + part + ": " + e.getMessage());
        }
      }
      parts.clear();
    }
  }

  @Override
  public void close() {
    deleteParts();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already, and the hook with it.
      deleteParts();
    }
  }
}
