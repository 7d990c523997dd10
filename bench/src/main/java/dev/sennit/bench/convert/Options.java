/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.convert;

import java.util.List;

/**
 * What the comparison is asked for.
 *
 * @param runs of each converter
 * @param jvmOptions what both JVMs get
 * @param aot whether to compare once more, with caches that each JVM made of this conversion
 */
record Options(int runs, List<String> jvmOptions, boolean aot) {
  private static final int FEWEST_RUNS = 5;

  /** Ends the program with status 2 if the arguments are not understood. */
  static Options parse(String... arguments) {
    int runs = FEWEST_RUNS;
    List<String> jvmOptions = List.of();
    boolean aot = false;
    try {
      for (int i = 0; i < arguments.length; i++) {
        switch (arguments[i]) {
          case "--aot" -> aot = true;
          case "--runs" -> runs = Integer.parseInt(arguments[++i]);
          case "--jvm-options" -> jvmOptions = List.of(arguments[++i].strip().split("\\s+"));
          default -> throw new IllegalArgumentException(arguments[i]);
        }
      }
      if (runs < FEWEST_RUNS) {
        throw new IllegalArgumentException("--runs " + runs);
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      System.err.printf(
          "unknown: %s; there is --runs N, with N of at least %d, by default that; --jvm-options"
              + " \"...\", which both JVMs get; --aot%n",
          String.join(" ", arguments), FEWEST_RUNS);
      System.exit(2);
    }
    return new Options(runs, jvmOptions, aot);
  }
}
