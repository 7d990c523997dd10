/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.configuration;

import java.util.Collection;
import java.util.Optional;

/** Finds what somebody may have meant. */
final class Nearest {
  private Nearest() {}

  /** The word that takes the fewest changes to reach, if these are few for its length. */
  static Optional<String> to(String word, Collection<String> words) {
    Optional<String> nearest = Optional.empty();
    int least = 1 + Math.max(1, word.length() / 3);
    for (String each : words) {
      int distance = distance(word, each);
      if (distance < least) {
        least = distance;
        nearest = Optional.of(each);
      }
    }
    return nearest;
  }

  /** How many letters must be put in, taken out or replaced. */
  private static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
