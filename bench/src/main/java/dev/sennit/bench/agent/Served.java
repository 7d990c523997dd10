/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One run of the application in a JVM of its own.
 *
 * @param perSecond requests by the clock
 * @param cpuMicros processor time of the whole JVM for one request
 */
record Served(double perSecond, double cpuMicros) {
  private static final String LINE = "served ";

  static Served by(Subject subject, Path target, int warmup, int seconds)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xms512m", "-Xmx512m"));
    command.addAll(subject.options(target));
    command.add(SpanWork.class.getName());
    command.add(Integer.toString(warmup));
    command.add(Integer.toString(seconds));
    Path log = target.resolve("agent").resolve(subject.name().toLowerCase(Locale.ROOT) + ".log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(warmup + seconds + 120L, TimeUnit.SECONDS)) {
        throw new IllegalStateException(subject.title + " does not end; see " + log);
      }
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(log).stream()
        .filter(line -> line.startsWith(LINE))
        .findFirst()
        .map(Served::parse)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    subject.title + " ended with status " + process.exitValue() + "; see " + log));
  }

  private static Served parse(String line) {
    String[] numbers = line.substring(LINE.length()).split(" ");
    double requests = Double.parseDouble(numbers[0]);
    return new Served(
        requests / Double.parseDouble(numbers[1]) * 1e9,
        Double.parseDouble(numbers[2]) / requests / 1e3);
  }
}
