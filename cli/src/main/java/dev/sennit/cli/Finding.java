/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import org.jspecify.annotations.Nullable;

/**
 * One thing that {@code doctor} looked at.
 *
 * @param found what is there, or why it is not
 * @param remedy the line to run, or what to do; null when all is well
 */
record Finding(Purpose purpose, String name, boolean ok, String found, @Nullable String remedy) {

  /** What a thing is good for. */
  enum Purpose {
    /** Without it some of the commands of today do not work. */
    CONTEXT("needed to publish and to read contexts"),
    /** It makes contexts easier to find, or more of them readable. */
    CONVENIENCE("good to have for contexts"),
    TRACING("for tracing in the kernel"),
    TESTS("for the tests of Sennit");

    private final String words;

    Purpose(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  static Finding ok(Purpose purpose, String name, String found) {
    return new Finding(purpose, name, true, found, null);
  }

  static Finding missing(Purpose purpose, String name, String found, String remedy) {
    return new Finding(purpose, name, false, found, remedy);
  }

  /** Whether a command of today fails for want of it. */
  boolean isFatal() {
    return !ok && purpose == Purpose.CONTEXT;
  }
}
