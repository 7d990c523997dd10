/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.mutated;

import dev.sennit.profiles.MutatedConversions;

/**
 * What became of a mutation.
 *
 * @param end one of the words of {@link MutatedConversions}, or {@link #CRASHED}
 * @param details the kind of a refusal, or where and how it failed
 */
record Outcome(long number, String end, String details) {
  static final String CRASHED = "CRASHED";

  /** From a line of {@link MutatedConversions}. */
  static Outcome parse(String line) {
    String[] parts = line.split(" ", 3);
    return new Outcome(Long.parseLong(parts[0]), parts[1], parts.length == 3 ? parts[2] : "");
  }

  static Outcome crash(long number, int status, String errors) {
    return new Outcome(number, CRASHED, "status " + status + "\n" + errors);
  }

  Outcome with(String line) {
    return new Outcome(number, end, details + "\n" + line);
  }

  boolean isGood() {
    return end.equals(MutatedConversions.CONVERTED) || end.equals(MutatedConversions.REFUSED);
  }
}
