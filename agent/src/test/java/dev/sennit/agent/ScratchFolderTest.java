/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.agent.boot.AgentJvm;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What JVMs leave behind that are killed, and who removes it. */
class ScratchFolderTest {
  /** No process has a number like this. */
  private static final String NOBODY = "sennit-scratch-4194304999-1763186400123-";

  @TempDir Path parent;

  /** Makes a folder with something in it, and waits. */
  static final class Program {
    public static void main(String[] arguments) throws IOException {
      ScratchFolder folder = ScratchFolder.create();
      Files.createFile(folder.path().resolve("chunk-0.jfr"));
      System.out.println("folder " + folder.path());
      System.in.read();
      folder.delete();
    }
  }

  @Test
  void aProcessThatEndsAsItShouldLeavesNothing() throws IOException {
    try (ChildProcess program = start()) {
      Path folder = folderOf(program);
      assertThat(Files.getPosixFilePermissions(folder)).hasSize(3);
      program.send("");
      assertThat(program.waitFor()).isZero();
      assertThat(folder).doesNotExist();
    }
  }

  @Test
  void theFolderOfAProcessThatWasKilledIsRemovedAndThatOfOneThatLivesIsNot() throws IOException {
    try (ChildProcess living = start();
        ChildProcess killed = start()) {
      Path left = folderOf(killed);
      kill(killed);
      age(left);
      Path used = folderOf(living);
      age(used);

      ScratchFolder.removeAbandoned(parent);
      assertThat(left).doesNotExist();
      assertThat(used.resolve("chunk-0.jfr")).exists();
    }
  }

  @Test
  void aProcessThatCannotBeSeenFromHereKeepsItsFolderByItsLock() throws IOException {
    try (ChildProcess program = start()) {
      // As if its number were one of another container.
      Path folder = Files.move(folderOf(program), parent.resolve(NOBODY + "00000000"));
      age(folder);
      ScratchFolder.removeAbandoned(parent);
      assertThat(folder).exists();

      kill(program);
      ScratchFolder.removeAbandoned(parent);
      assertThat(folder).doesNotExist();
    }
  }

  @Test
  void whatMayBeAnybodysStays() throws IOException {
    Path young = left("00000001");
    Files.setLastModifiedTime(young, FileTime.from(Instant.now()));
    Path otherName = age(Files.move(left("00000002"), parent.resolve("sennit-root")));
    Path unlocked = left("00000003");
    Files.delete(unlocked.resolve("lock"));
    age(unlocked);
    Path elsewhere = Files.move(left("00000004"), parent.resolve("elsewhere"));
    Path link = Files.createSymbolicLink(parent.resolve(NOBODY + "00000005"), elsewhere);
    Path folderInside = left("00000006");
    Files.createDirectories(folderInside.resolve("a").resolve("b"));
    age(folderInside);

    ScratchFolder.removeAbandoned(parent);
    assertThat(List.of(young, otherName, unlocked, elsewhere, link, folderInside))
        .allMatch(Files::exists);
    assertThat(elsewhere.resolve("lock")).exists();
  }

  @Test
  @Requires(root = true)
  void theFolderOfAnotherUserStays() throws IOException {
    Path folder = left("00000000");
    Files.setAttribute(folder, "unix:uid", 65534);
    age(folder);
    ScratchFolder.removeAbandoned(parent);
    assertThat(folder.resolve("lock")).exists();
  }

  @Test
  void oneStartDoesNotTidyUpAfterAll() throws IOException {
    for (int i = 0; i < ScratchFolder.MOST_REMOVED + 3; i++) {
      left(String.format("%08x", i));
    }
    ScratchFolder.removeAbandoned(parent);
    assertThat(parent.toFile().list()).hasSize(3);
    ScratchFolder.removeAbandoned(parent);
    assertThat(parent.toFile().list()).isEmpty();
  }

  @Test
  @Requires
  void anAgentRemovesWhatTheOneBeforeItLeft() throws IOException {
    try (ChildProcess first = profiled()) {
      first.expect("ready");
      Path left = awaitFolder();
      kill(first);
      age(left);
      assertThat(left).exists();
      try (ChildProcess second = profiled()) {
        second.expect("ready");
        while (Files.exists(left)) {
          LockSupport.parkNanos(10_000_000);
        }
        second.send("");
        assertThat(second.waitFor()).as(second.errors()).isZero();
      }
    }
    assertThat(scratchFolders()).isEmpty();
  }

  /** A program for the agent. */
  static final class Waiting {
    public static void main(String[] arguments) throws IOException {
      System.out.println("ready");
      System.in.read();
    }
  }

  private ChildProcess profiled() {
    return AgentJvm.start(
        List.of(
            AgentJvm.agent("start,cpu=10ms,ctxstorage=otel,jfr,file=" + parent.resolve("a.jfr")),
            "-Djava.io.tmpdir=" + parent,
            "-cp",
            ChildProcess.classPath(),
            Waiting.class.getName()));
  }

  private Path awaitFolder() throws IOException {
    while (true) {
      List<Path> folders = scratchFolders();
      if (folders.size() == 1) {
        return folders.getFirst();
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private List<Path> scratchFolders() throws IOException {
    try (Stream<Path> all = Files.list(parent)) {
      return all.filter(path -> path.getFileName().toString().startsWith("sennit-scratch-"))
          .toList();
    }
  }

  private ChildProcess start() {
    return ChildProcess.start(
        ChildProcess.javaCommand(List.of("-Djava.io.tmpdir=" + parent), Program.class));
  }

  private static Path folderOf(ChildProcess program) {
    return Path.of(program.expect("folder "));
  }

  private static void kill(ChildProcess program) {
    ProcessHandle process = ProcessHandle.of(program.pid()).orElseThrow();
    process.destroyForcibly();
    process.onExit().join();
  }

  /** A folder as a process leaves it that was killed long ago. */
  private Path left(String number) throws IOException {
    Path folder = Files.createDirectory(parent.resolve(NOBODY + number));
    Files.createFile(folder.resolve("lock"));
    return age(folder);
  }

  private static Path age(Path folder) throws IOException {
    return Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minusSeconds(600)));
  }
}
