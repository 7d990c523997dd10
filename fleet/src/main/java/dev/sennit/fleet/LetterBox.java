/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Letters, gathered by the partition that they go to. */
final class LetterBox {
  /** So many letters are in one record at most. */
  private static final int MOST = 4096;

  private final List<List<Letter>> buckets = new ArrayList<>();

  LetterBox(int partitions) {
    for (int i = 0; i < partitions; i++) {
      buckets.add(new ArrayList<>());
    }
  }

  void add(Letter letter) {
    buckets.get(letter.to().bucket(buckets.size())).add(letter);
  }

  void flush(BiConsumer<Integer, Parcel.Letters> out) {
    for (int bucket = 0; bucket < buckets.size(); bucket++) {
      List<Letter> letters = buckets.get(bucket);
      for (int from = 0; from < letters.size(); from += MOST) {
        out.accept(
            bucket,
            new Parcel.Letters(letters.subList(from, Math.min(letters.size(), from + MOST))));
      }
      letters.clear();
    }
  }
}
