/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

import java.util.Random;

/**
 * In which order a table that is empty at first is asked for entries: each entry is new once,
 * evenly over the time, and the other requests are for one that is there already, any of them.
 */
final class Requests {
  private Requests() {}

  /** How many requests it takes until all entries are there, if so many of them are hits. */
  static int count(int uniqueEntries, double hitRate) {
    return (int) Math.round(uniqueEntries / (1 - hitRate));
  }

  /** The entries that are asked for, one after the other. */
  static int[] of(int uniqueEntries, double hitRate) {
    Random random = new Random(42);
    int[] requests = new int[count(uniqueEntries, hitRate)];
    int known = 0;
    for (int i = 0; i < requests.length; i++) {
      long due = ((long) i * uniqueEntries + requests.length) / requests.length;
      requests[i] = known < due ? known++ : random.nextInt(known);
    }
    return requests;
  }
}
