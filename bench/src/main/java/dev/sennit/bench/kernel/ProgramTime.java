/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The time that the kernel itself counts in our programs. It counts only between two calls, for the
 * counting costs more than some of the programs.
 */
final class ProgramTime {
  private static final Path SWITCH = Path.of("/proc/sys/kernel/bpf_stats_enabled");
  private static final Pattern PROGRAM =
      Pattern.compile("\"name\":\"([a-z0-9_]+)\"[^}]*?\"run_time_ns\":(\\d+),\"run_cnt\":(\\d+)");

  private final Set<String> names;
  private long begin;

  ProgramTime(Set<String> names) {
    this.names = names.stream().map(ProgramTime::shortened).collect(Collectors.toSet());
  }

  /** Has the kernel count from now on. */
  void start() throws IOException, InterruptedException {
    Files.writeString(SWITCH, "1");
    begin = nanos();
  }

  /** The nanoseconds since the start. */
  long stop() throws IOException, InterruptedException {
    long sum = nanos() - begin;
    Files.writeString(SWITCH, "0");
    return sum;
  }

  private long nanos() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("bpftool", "-j", "prog", "show").start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    long sum = 0;
    Matcher matcher = PROGRAM.matcher(text);
    while (matcher.find()) {
      if (names.contains(shortened(matcher.group(1)))) {
        sum += Long.parseLong(matcher.group(2));
      }
    }
    return sum;
  }

  /** Without type information the kernel knows only so much of a name. */
  private static String shortened(String name) {
    return name.substring(0, Math.min(name.length(), 15));
  }
}
