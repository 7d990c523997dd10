/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The folder of one process among those of all processes that send to the same place.
 *
 * <pre>
 * parent/                            0700, the user's own
 *   4711-1763186400123-9f86d081/     0700, process id, its start, a number for this queue
 *     lock                           0600, locked by the process as long as it lives
 *     1763186455001-00000000-….otlp  0600, a message, complete
 *     ….otlp.part                    0600, a message that is being written
 * </pre>
 *
 * <p>A folder whose lock is free belonged to a process that died; one without a lock was left in
 * order. What is in either is for anybody, and each file is taken by renaming it, which succeeds
 * for one.
 */
final class InstanceFolder {
  static final String MESSAGE = ".otlp";
  static final String INCOMPLETE = ".otlp.part";

  private static final String LOCK = "lock";
  private static final FileAttribute<Set<PosixFilePermission>> OWN_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWN_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** An empty folder that is older than this is not one that is just being made. */
  private static final Duration NOT_NEW = Duration.ofMinutes(1);

  private final Path path;
  private final FileChannel lock;

  private InstanceFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** Takes the messages of processes that are no more. */
  interface Heir {
    void take(Path message) throws IOException;
  }

  /** Makes a folder for this process below {@code parent}, which is made too. */
  static InstanceFolder create(Path parent) throws IOException {
    createFolder(parent);
    String number = String.format("%08x", RandomGenerator.getDefault().nextInt());
    Path path = parent.resolve(processName() + number);
    Files.createDirectory(path, OWN_FOLDER);
    requirePrivate(parent, path);
    FileChannel channel =
        FileChannel.open(
            path.resolve(LOCK),
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            OWN_FILE);
    FileLock locked = channel.tryLock();
    if (locked == null) {
      channel.close();
      throw new IOException(path.resolve(LOCK) + " is locked by another process");
    }
    return new InstanceFolder(path, channel);
  }

  /** Beginning of the names of this process's folders. */
  private static String processName() {
    ProcessHandle self = ProcessHandle.current();
    long start = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    return self.pid() + "-" + start + "-";
  }

  /** What others could put there would be sent in our name. */
  private static void requirePrivate(Path parent, Path own) throws IOException {
    if (!isPrivate(parent, own)) {
      Files.delete(own);
      throw new IOException(parent + " belongs to another user or others may write to it");
    }
  }

  /**
   * Whether nobody else can write to a folder.
   *
   * @param own something that this process has made
   */
  static boolean isPrivate(Path folder, Path own) throws IOException {
    Set<PosixFilePermission> permissions =
        Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
    // The number of the user: its name may have to be asked for over the network.
    return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        && Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS)
            .equals(Files.getAttribute(own, "unix:uid"))
        && !permissions.contains(PosixFilePermission.GROUP_WRITE)
        && !permissions.contains(PosixFilePermission.OTHERS_WRITE);
  }

  Path path() {
    return path;
  }

  /** Whether nobody has cleaned up here, as is done to old files in folders for temporary ones. */
  boolean isIntact() {
    return Files.exists(path.resolve(LOCK));
  }

  /** A folder that only its user can read, and those above it, unless they are there. */
  static void createFolder(Path folder) throws IOException {
    Files.createDirectories(folder, OWN_FOLDER);
  }

  /** An empty file that only its user can read. */
  static Path createFile(Path file) throws IOException {
    return Files.createFile(file, OWN_FILE);
  }

  /** Leaves the folder to others, or removes it if it is empty. */
  void release() throws IOException {
    try (lock) {
      Files.deleteIfExists(path.resolve(LOCK));
    }
    deleteIfEmpty(path);
  }

  /** Lets the heir have what dead processes left below {@code parent}, and tidies up. */
  static void visitAbandoned(Path parent, Heir heir) throws IOException {
    for (Path folder : entries(parent)) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      try {
        visit(folder, heir);
      } catch (NoSuchFileException e) {
        // Another heir was faster.
      }
    }
  }

  private static void visit(Path folder, Heir heir) throws IOException {
    Path lockFile = folder.resolve(LOCK);
    if (!Files.exists(lockFile)) {
      inherit(folder, heir);
      Instant changed = Files.getLastModifiedTime(folder).toInstant();
      if (changed.isBefore(Instant.now().minus(NOT_NEW))) {
        deleteIfEmpty(folder);
      }
      return;
    }
    // Closing a channel gives up every lock of the process on the file, so that a process must not
    // even look at a lock of its own.
    if (folder.getFileName().toString().startsWith(processName())) {
      return;
    }
    try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
      FileLock locked = channel.tryLock();
      if (locked == null) {
        return;
      }
      if (inherit(folder, heir)) {
        Files.deleteIfExists(lockFile);
        deleteIfEmpty(folder);
      }
    } catch (OverlappingFileLockException e) {
      // Another thread of this process is at it.
    }
  }

  /**
   * @return whether nothing is left
   */
  private static boolean inherit(Path folder, Heir heir) throws IOException {
    boolean empty = true;
    for (Path file : entries(folder)) {
      String name = file.getFileName().toString();
      if (name.endsWith(INCOMPLETE)) {
        Files.deleteIfExists(file);
      } else if (name.endsWith(MESSAGE)) {
        heir.take(file);
        empty &= !Files.exists(file);
      }
    }
    return empty;
  }

  private static List<Path> entries(Path folder) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return entries;
  }

  private static void deleteIfEmpty(Path folder) throws IOException {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      // What is in it is for others.
    }
  }
}
