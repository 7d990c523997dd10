/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import dev.sennit.store.database.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder for a store that nobody wants to keep. It is locked as long as its process lives, so
 * that the next process can remove what one that was killed has left.
 */
final class TemporaryFolder implements AutoCloseable {
  private static final String PREFIX = "sennit-store-";
  private static final String LOCK = "lock";

  /** A folder that is younger may be one that is just being made. */
  private static final Duration NOT_NEW = Duration.ofMinutes(1);

  private final Path path;
  private final FileChannel lock;

  private TemporaryFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  static TemporaryFolder create() {
    try {
      Path path = Files.createTempDirectory(ownPrefix());
      FileChannel lock =
          FileChannel.open(
              path.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      lock.lock();
      removeLeft(path);
      return new TemporaryFolder(path, lock);
    } catch (IOException e) {
      throw new StoreException("a temporary store cannot be made: " + e, e);
    }
  }

  /** Removes the folders beside ours whose processes are gone. */
  private static void removeLeft(Path own) throws IOException {
    try (DirectoryStream<Path> others =
        Files.newDirectoryStream(own.toAbsolutePath().getParent(), PREFIX + "*")) {
      for (Path other : others) {
        // Closing the lock of another store of this process would give it up.
        if (!other.getFileName().toString().startsWith(ownPrefix()) && isLeft(other)) {
          remove(other);
        }
      }
    }
  }

  /** Whether a folder was made some time ago and nobody has it locked. */
  private static boolean isLeft(Path folder) {
    Path file = folder.resolve(LOCK);
    try (FileChannel lock = FileChannel.open(file, StandardOpenOption.WRITE)) {
      Instant made = Files.getLastModifiedTime(file).toInstant();
      return made.plus(NOT_NEW).isBefore(Instant.now()) && lock.tryLock() != null;
    } catch (IOException e) {
      // Another user's, or gone meanwhile.
      return false;
    }
  }

  private static String ownPrefix() {
    return PREFIX + ProcessHandle.current().pid() + "-";
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    remove(path);
    try {
      lock.close();
    } catch (IOException e) {
      throw new StoreException(path + ": the lock cannot be given up: " + e, e);
    }
  }

  private static void remove(Path folder) {
    List<Path> all = new ArrayList<>();
    try (var files = Files.walk(folder)) {
      files.forEach(all::add);
      for (Path file : all.reversed()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // Left for the next process.
    }
  }
}
