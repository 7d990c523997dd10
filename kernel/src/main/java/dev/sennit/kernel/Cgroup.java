/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A cgroup of the unified hierarchy: a set of processes that can be named to the kernel. The folder
 * of the hierarchy is found, for it is not the same everywhere.
 *
 * @param folder where it is in the file system
 * @param level how deep it is in the hierarchy; the root has 0
 */
public record Cgroup(Path folder, int level) {
  private static final long LONGEST_DEATH = TimeUnit.SECONDS.toNanos(10);
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(1);

  /** The root of the hierarchy, or nothing where it is not mounted. */
  public static Optional<Cgroup> root() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
      return lines
          .map(line -> line.split(" - ", 2))
          .filter(parts -> parts.length == 2 && parts[1].startsWith("cgroup2 "))
          .map(parts -> parts[0].split(" "))
          .map(fields -> new Cgroup(Path.of(unescape(fields[4])), depth(Path.of(fields[3]))))
          .findFirst();
    }
  }

  /** The cgroup of a process, or nothing where there is no unified hierarchy. */
  public static Optional<Cgroup> of(int pid) throws IOException {
    Optional<Cgroup> root = root();
    if (root.isEmpty()) {
      return root;
    }
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/cgroup"))) {
      if (line.startsWith("0::/")) {
        Path relative = Path.of(line.substring("0::/".length()));
        Path folder = root.get().folder.resolve(relative);
        return Optional.of(
            new Cgroup(folder, root.get().level + depth(Path.of("/").resolve(relative))));
      }
    }
    return Optional.empty();
  }

  /** Makes a cgroup below this one. */
  public Cgroup create(String name) throws IOException {
    return new Cgroup(Files.createDirectory(folder.resolve(name)), level + 1);
  }

  public boolean isRoot() {
    return level == 0;
  }

  /** The number by which the kernel knows it. */
  public long id() throws IOException {
    return (Long) Files.getAttribute(folder, "unix:ino");
  }

  public List<Integer> processes() throws IOException {
    return Files.readAllLines(folder.resolve("cgroup.procs")).stream()
        .map(Integer::valueOf)
        .toList();
  }

  /** The processes of this one and of those inside it. */
  public List<Integer> processesBelow() throws IOException {
    List<Integer> pids = new ArrayList<>();
    try (Stream<Path> folders = Files.walk(folder).filter(Files::isDirectory)) {
      for (Path each : (Iterable<Path>) folders::iterator) {
        pids.addAll(new Cgroup(each, level).processes());
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return pids;
  }

  public void add(long pid) throws IOException {
    Files.writeString(folder.resolve("cgroup.procs"), Long.toString(pid));
  }

  /** The command that runs another inside this cgroup from its first instruction on. */
  public List<String> command(List<String> command) {
    return Stream.concat(
            Stream.of(
                "/bin/sh",
                "-c",
                "procs=$1; shift; echo $$ >\"$procs\" && exec \"$@\"",
                // What the shell calls itself, should there be no such program.
                "sennit",
                folder.resolve("cgroup.procs").toString()),
            command.stream())
        .toList();
  }

  /**
   * Removes it; no process may be in it any more. One that has died is off the list before it has
   * given its memory back, and until then the kernel does not let the cgroup go: that is waited
   * for.
   */
  public void remove() throws IOException {
    for (long end = System.nanoTime() + LONGEST_DEATH; ; LockSupport.parkNanos(PAUSE)) {
      try {
        Files.delete(folder);
        return;
      } catch (NoSuchFileException gone) {
        // Somebody tidied up.
        return;
      } catch (FileSystemException busy) {
        if (System.nanoTime() > end || !processes().isEmpty()) {
          throw busy;
        }
      }
    }
  }

  private static int depth(Path path) {
    return path.toString().equals("/") || path.toString().isEmpty() ? 0 : path.getNameCount();
  }

  /** Blanks are written as octal numbers in mountinfo. */
  private static String unescape(String path) {
    return path.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }
}
