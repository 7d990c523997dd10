/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.churn;

import dev.sennit.context.memory.Proc;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What a process has taken of the machine's memory, in KiB, after a collection.
 *
 * @param resident all of it
 * @param anonymous what no file is behind: heap, stacks, native memory
 */
record Footprint(long resident, long anonymous) {
  static Footprint ofThisProcess() {
    // Twice: what the first finds unreachable may free native memory only when its cleaner has run.
    System.gc();
    System.gc();
    int pid = Math.toIntExact(ProcessHandle.current().pid());
    return new Footprint(kibibytes(pid, "VmRSS"), kibibytes(pid, "RssAnon"));
  }

  private static long kibibytes(int pid, String field) {
    String value = Proc.statusField(pid, pid, field);
    return Long.parseLong(value.substring(0, value.indexOf(' ')));
  }

  /** Reads what {@link #print} printed. */
  static Footprint parse(String text) {
    long[] numbers = Arrays.stream(text.split(" ")).mapToLong(Long::parseLong).toArray();
    return new Footprint(numbers[0], numbers[1]);
  }

  String print() {
    return LongStream.of(resident, anonymous)
        .mapToObj(Long::toString)
        .collect(Collectors.joining(" "));
  }
}
