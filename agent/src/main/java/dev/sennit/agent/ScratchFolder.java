/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder for files of this process that nobody else may see, such as pieces of a recording. A JVM
 * that is killed leaves it behind; the next one that profiles removes it.
 *
 * <p>Whose it is stands in its name, {@code sennit-scratch-PID-START-NUMBER}, and a file in it is
 * locked as long as its process lives: ids of processes mean nothing across containers that share a
 * folder.
 */
public final class ScratchFolder {
  private static final String PREFIX = "sennit-scratch-";
  private static final Pattern NAME =
      Pattern.compile(PREFIX + "(\\d{1,10})-(\\d{1,15})-[0-9a-f]{8}");
  private static final String LOCK = "lock";

  /** A folder is locked at once when it was made; one that is older than this is not new. */
  private static final Duration NOT_NEW = Duration.ofMinutes(1);

  /** The kernel's word on when a process started moves a little with the clock. */
  private static final long START_TOLERANCE_MILLIS = 10_000;

  /** What one start may cost that comes upon the remains of many. */
  private static final int MOST_LOOKED_AT = 10_000;

  static final int MOST_REMOVED = 64;

  private final Path path;
  private final FileChannel lock;

  private ScratchFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  public static ScratchFolder create() throws IOException {
    ProcessHandle self = ProcessHandle.current();
    String name =
        String.format(
            "%s%d-%d-%08x",
            PREFIX, self.pid(), startOf(self), RandomGenerator.getDefault().nextInt());
    Path path =
        Files.createDirectory(
            temporary().resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    FileChannel lock =
        FileChannel.open(
            path.resolve(LOCK), Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    // Held until the process ends, if delete does not come first.
    FileLock _ = lock.lock();
    return new ScratchFolder(path, lock);
  }

  public Path path() {
    return path;
  }

  /** Removes it with what is in it. Never throws. */
  public void delete() {
    try {
      remove(path);
      lock.close();
    } catch (IOException e) {
      // It is in a folder for temporary files.
    }
  }

  /** Removes what processes of this user left that are no more. Never throws. */
  public static void removeAbandoned() {
    removeAbandoned(temporary());
  }

  static void removeAbandoned(Path parent) {
    int looked = 0;
    int removed = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
      for (Path entry : entries) {
        if (++looked > MOST_LOOKED_AT || removed == MOST_REMOVED) {
          return;
        }
        removed += removeIfAbandoned(entry) ? 1 : 0;
      }
    } catch (IOException | RuntimeException e) {
      AgentLog.detail("what killed processes left in " + parent + " stays there: " + e);
    }
  }

  private static boolean removeIfAbandoned(Path folder) throws IOException {
    Matcher name = NAME.matcher(folder.getFileName().toString());
    if (!name.matches()
        || isAlive(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)))
        || !isOwnAndOld(folder)) {
      return false;
    }
    try (FileChannel lock = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE);
        FileLock free = lock.tryLock()) {
      if (free == null) {
        return false;
      }
      remove(folder);
      return true;
    } catch (IOException | OverlappingFileLockException e) {
      // It has no lock, somebody else removes it, or it has what is not a file; others follow.
      return false;
    }
  }

  private static boolean isAlive(long pid, long start) {
    return ProcessHandle.of(pid)
        .filter(process -> Math.abs(startOf(process) - start) < START_TOLERANCE_MILLIS)
        .isPresent();
  }

  private static long startOf(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  private static boolean isOwnAndOld(Path folder) throws IOException {
    Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Instant changed = Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toInstant();
    return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        && Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(self)
        && changed.isBefore(Instant.now().minus(NOT_NEW));
  }

  /** The lock goes last: what is half removed can still be told to be abandoned. */
  private static void remove(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(file -> !file.endsWith(LOCK)).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
    Files.deleteIfExists(folder.resolve(LOCK));
    Files.deleteIfExists(folder);
  }

  private static Path temporary() {
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
  }
}
