/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of a converter in a JVM of its own.
 *
 * @param seconds from start to end
 * @param peakResident the most memory it had, in MiB (VmHWM)
 * @param peakAnonymous the most without files behind it, in MiB (RssAnon)
 * @param outputBytes what it wrote
 */
record Run(double seconds, double peakResident, double peakAnonymous, long outputBytes) {
  private static final int LONGEST_SECONDS = 300;

  static Run of(List<String> command, Path output) throws IOException, InterruptedException {
    Files.deleteIfExists(output);
    Path log = output.resolveSibling(output.getFileName() + ".log");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    long resident = 0;
    long anonymous = 0;
    while (!process.waitFor(2, TimeUnit.MILLISECONDS)) {
      String status = status(process.pid());
      resident = Math.max(resident, kibibytes(status, "VmHWM:"));
      anonymous = Math.max(anonymous, kibibytes(status, "RssAnon:"));
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(LONGEST_SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("not done after " + LONGEST_SECONDS + " s: " + command);
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    if (process.exitValue() != 0 || !Files.exists(output)) {
      throw new IllegalStateException(
          "status " + process.exitValue() + " of " + command + ": " + Files.readString(log));
    }
    return new Run(seconds, resident / 1024.0, anonymous / 1024.0, Files.size(output));
  }

  /** Empty once the process has ended. */
  private static String status(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/status"));
    } catch (IOException e) {
      return "";
    }
  }

  private static long kibibytes(String status, String field) {
    return status
        .lines()
        .filter(line -> line.startsWith(field))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
