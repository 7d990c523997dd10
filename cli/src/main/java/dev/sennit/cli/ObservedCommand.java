/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.memory.Libc;
import dev.sennit.kernel.Cgroup;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A command in a cgroup of its own, so that it can be observed from its first instruction on, and
 * with it all that it starts. Closing it ends what still runs, and removes the cgroup.
 */
final class ObservedCommand implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int SIGNALLED = 128;
  private static final int MOST_LEFT = 10;

  private final Cgroup cgroup;
  private final Process process;

  private ObservedCommand(Cgroup cgroup, Process process) {
    this.cgroup = cgroup;
    this.process = process;
  }

  /** Makes the cgroup in which a command will run. */
  static Cgroup prepare() throws IOException {
    Cgroup root =
        Cgroup.root()
            .orElseThrow(
                () ->
                    CommandFailure.wrongInput(
                        "no cgroup v2 hierarchy is mounted; try mount -t cgroup2 none FOLDER"));
    String name = "sennit-" + ProcessHandle.current().pid();
    for (int i = 2; i <= MOST_LEFT; i++) {
      Cgroup left = new Cgroup(root.folder().resolve(name), root.level() + 1);
      if (!Files.exists(left.folder())) {
        break;
      }
      // Of a Sennit that was killed, perhaps with its command inside; pids come again.
      if (left.processes().isEmpty()) {
        left.remove();
      } else {
        name = "sennit-" + ProcessHandle.current().pid() + "-" + i;
      }
    }
    return root.create(name);
  }

  /** Starts the command, with the input and output of this process. */
  static ObservedCommand start(Cgroup cgroup, List<String> command) throws IOException {
    return start(cgroup, command, environment -> {});
  }

  /** The same, with changes to the environment. */
  static ObservedCommand start(
      Cgroup cgroup, List<String> command, Consumer<Map<String, String>> environment)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(cgroup.command(command)).inheritIO();
    environment.accept(builder.environment());
    return new ObservedCommand(cgroup, builder.start());
  }

  /** Passes a signal on to the command. */
  void signal(Signals.Signal signal) {
    if (process.isAlive()) {
      Libc.kill(Math.toIntExact(process.pid()), signal.number());
    }
  }

  /** Waits; true when the command has ended. */
  boolean endsWithin(Duration duration) {
    try {
      return process.waitFor(duration.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Its exit status, as a shell would say it. */
  int status() {
    return process.isAlive() ? SIGNALLED : process.exitValue();
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    if (!endsWithin(PATIENCE)) {
      process.destroyForcibly();
    }
    leave(cgroup);
  }

  /** Gives a cgroup up in which commands ran. */
  static void leave(Cgroup cgroup) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!isRemoved(cgroup, System.nanoTime() > end)) {
      LockSupport.parkNanos(RETRY);
    }
  }

  /**
   * What the command left behind has nobody to be observed by; it goes on in the cgroup above. A
   * process that is just ending, or just beginning, keeps the cgroup busy for a moment.
   */
  private static boolean isRemoved(Cgroup cgroup, boolean last) throws IOException {
    Cgroup above = new Cgroup(cgroup.folder().resolveSibling("."), cgroup.level() - 1);
    for (int pid : cgroup.processes()) {
      try {
        above.add(pid);
      } catch (IOException ended) {
        // It is gone, which is as good.
      }
    }
    try {
      cgroup.remove();
      return true;
    } catch (FileSystemException e) {
      if (last) {
        throw e;
      }
      return false;
    }
  }
}
