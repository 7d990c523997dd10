/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import dev.sennit.testing.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Two processors that a JVM each can be bound to; of two cores, if there are as many. */
record Cores(int one, int other) {
  private static final List<String> PROGRAMS = List.of("setsid", "taskset");
  private static final String ALLOWED = "Cpus_allowed_list:";

  /** Why there are none, if so. */
  static Optional<String> obstacle() {
    for (String program : PROGRAMS) {
      if (!isInstalled(program)) {
        return Optional.of("there is no " + program + " to bind a JVM to a core");
      }
    }
    int processors = Math.min(Runtime.getRuntime().availableProcessors(), allowed().size());
    return processors < 2
        ? Optional.of("there is " + processors + " processor, and a pair needs 2")
        : Optional.empty();
  }

  /**
   * What a command begins with so that its process is bound to a processor. It gets a session of
   * its own: processes of one session share what the kernel gives to it (sched(7), autogroup), so
   * that of two on busy processors one would have more at the cost of the other.
   */
  static List<String> bindingTo(int processor) {
    return List.of("setsid", "taskset", "-c", Integer.toString(processor));
  }

  /** Binds a process that runs, with all of its threads. */
  static void move(int pid, int processor) {
    List<String> command =
        List.of("taskset", "-a", "-c", "-p", Integer.toString(processor), Integer.toString(pid));
    try (ChildProcess mover = ChildProcess.start(command)) {
      if (mover.waitFor() != 0) {
        throw new IllegalStateException(command + " fails: " + mover.errors());
      }
    }
  }

  static Cores two() {
    return of(
        allowed(),
        processor -> {
          Path siblings =
              Path.of("/sys/devices/system/cpu/cpu" + processor + "/topology/thread_siblings_list");
          return Files.exists(siblings) ? parse(read(siblings)) : List.of(processor);
        });
  }

  /** The first, and the first that is not a thread of the same core. */
  static Cores of(List<Integer> allowed, Siblings siblings) {
    int one = allowed.getFirst();
    List<Integer> sameCore = siblings.of(one);
    int other =
        allowed.stream()
            .filter(processor -> processor != one && !sameCore.contains(processor))
            .findFirst()
            .orElse(allowed.get(1));
    return new Cores(one, other);
  }

  /** Which processors are threads of the same core as one. */
  interface Siblings {
    List<Integer> of(int processor);
  }

  private static boolean isInstalled(String program) {
    return Optional.ofNullable(System.getenv("PATH")).stream()
        .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static List<Integer> allowed() {
    return read(Path.of("/proc/self/status"))
        .lines()
        .filter(line -> line.startsWith(ALLOWED))
        .findFirst()
        .map(line -> parse(line.substring(ALLOWED.length())))
        .orElseThrow(() -> new IllegalStateException("no " + ALLOWED + " in /proc/self/status"));
  }

  /** Numbers and ranges, as in {@code 0-3,8}. */
  static List<Integer> parse(String list) {
    List<Integer> processors = new ArrayList<>();
    for (String range : list.strip().split(",")) {
      String[] ends = range.split("-");
      for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
        processors.add(i);
      }
    }
    return processors;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
