/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** What {@code /proc} says of processes and threads. */
public final class Proc {
  private static final Path ROOT = Path.of("/proc");

  private Proc() {}

  /** The processes of this PID namespace, in ascending order. */
  public static int[] processes() throws IOException {
    return numbersIn(ROOT);
  }

  /** The threads of a process, by the tids of this PID namespace, in ascending order. */
  public static int[] threads(int pid) throws IOException {
    return numbersIn(ROOT.resolve(pid + "/task"));
  }

  public static boolean exists(int pid) {
    return Files.exists(ROOT.resolve(Integer.toString(pid)));
  }

  /** Whether this process has a thread of that number. */
  public static boolean hasThread(int tid) {
    return Files.exists(ROOT.resolve("self/task/" + tid));
  }

  /**
   * The name of a thread as the kernel has it (at most 15 bytes); empty when the thread is gone.
   */
  public static String threadName(int pid, int tid) {
    try {
      // The kernel cuts names at a byte, maybe in the middle of a character: decode what is there.
      byte[] name = Files.readAllBytes(ROOT.resolve(pid + "/task/" + tid + "/comm"));
      return new String(name, StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * The tid that a thread has in its own, innermost PID namespace, which is the one that it writes
   * into its records; {@code tid} itself when the kernel does not say.
   */
  public static int innermostTid(int pid, int tid) {
    String[] levels = statusField(pid, tid, "NSpid").split("\\s+");
    try {
      return Integer.parseInt(levels[levels.length - 1]);
    } catch (NumberFormatException e) {
      return tid;
    }
  }

  /**
   * One field of {@code /proc/PID/task/TID/status}, for example {@code TracerPid}; empty when the
   * thread is gone or the kernel has no such field.
   */
  public static String statusField(int pid, int tid, String field) {
    Path status = ROOT.resolve(pid + "/task/" + tid + "/status");
    try {
      for (String line : Files.readString(status, StandardCharsets.ISO_8859_1).split("\n")) {
        if (line.startsWith(field) && line.startsWith(":", field.length())) {
          return line.substring(field.length() + 1).strip();
        }
      }
    } catch (IOException e) {
      return "";
    }
    return "";
  }

  private static int[] numbersIn(Path folder) throws IOException {
    int[] numbers = new int[64];
    int count = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (!name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9')) {
          if (count == numbers.length) {
            numbers = Arrays.copyOf(numbers, count * 2);
          }
          numbers[count++] = Integer.parseInt(name);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    int[] result = Arrays.copyOf(numbers, count);
    Arrays.sort(result);
    return result;
  }
}
