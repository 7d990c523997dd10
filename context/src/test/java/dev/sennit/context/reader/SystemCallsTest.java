/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static dev.sennit.context.reader.Readings.threads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a refresh costs, as the kernel sees it. */
@Requires(commands = {"gcc", "strace"})
class SystemCallsTest {
  private static final int THREADS = 1000;
  private static final int REFRESHES = 10;
  private static final String MARK = "MARK-";

  @TempDir Path folder;

  @Test
  void aRefreshOfAThousandThreadsTakesThreeSystemCallsAtMost() throws IOException {
    Path trace = folder.resolve("trace");
    Path program = RingPublisher.compile(folder);
    // A slot that stays in use makes every refresh need its third call.
    try (var publisher = RingPublisher.start(program, "threads=" + THREADS, "stuck=1")) {
      List<String> command =
          new ArrayList<>(List.of("strace", "-f", "-s", "200", "-o", trace.toString()));
      // Interpreted and without collections of garbage, a JVM makes no calls of its own meanwhile.
      command.addAll(
          ChildProcess.javaCommand(
              List.of("-Xint", "-Xms256m", "-Xmn192m"),
              Reader.class,
              Integer.toString(publisher.pid()),
              Long.toString(publisher.address())));
      try (var strace = ChildProcess.start(command)) {
        assertThat(strace.readAll()).containsExactly("read");
        assertThat(strace.waitFor()).isZero();
      }
    }

    List<List<String>> refreshes = callsBetweenMarks(Files.readAllLines(trace));

    assertThat(refreshes).hasSize(REFRESHES);
    assertThat(refreshes)
        .allSatisfy(calls -> assertThat(calls).hasSize(3).containsOnly("process_vm_readv"));
  }

  /** The system calls of the thread that leaves the marks, from each mark to the next. */
  private static List<List<String>> callsBetweenMarks(List<String> trace) {
    Pattern call = Pattern.compile("(\\d+) +(\\w+)\\(.*");
    List<List<String>> result = new ArrayList<>();
    String reader = "";
    for (String line : trace) {
      Matcher matcher = call.matcher(line);
      if (!matcher.matches()) {
        continue;
      }
      if (line.contains(MARK)) {
        reader = matcher.group(1);
        result.add(new ArrayList<>());
      } else if (matcher.group(1).equals(reader)) {
        result.getLast().add(matcher.group(2));
      }
    }
    // After the last mark comes the end of the JVM.
    result.removeLast();
    return result;
  }

  /** Refreshes and leaves a mark in its system calls before each but the first. */
  static final class Reader {
    public static void main(String[] arguments) {
      int pid = Integer.parseInt(arguments[0]);
      var context = RingPublisher.contextWith(Long.parseLong(arguments[1]), 65_536);
      try (var reader = ThreadRecordReader.open(pid, context)) {
        for (int i = 0; i <= REFRESHES; i++) {
          assertThat(threads(reader.read()).threads()).hasSize(THREADS);
          mark(i);
        }
      }
      System.out.println("read");
    }

    private static void mark(int number) {
      assertThat(Files.exists(Path.of(MARK + number))).isFalse();
    }
  }
}
