/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * A process with a queue in the folder it is given, which can be killed: it prints {@code opened N}
 * with the number of messages that it found, puts messages into the queue one after the other, and
 * prints {@code put N} for each. How many, it is told; then it waits for its input to end.
 */
final class QueueProgram {
  private QueueProgram() {}

  /** Folder, first number, how many. */
  public static void main(String[] arguments) throws IOException {
    int first = Integer.parseInt(arguments[1]);
    int count = Integer.parseInt(arguments[2]);
    Random random = new Random(first);
    ChunkQueue queue =
        ChunkQueue.open(Path.of(arguments[0]), 1L << 30, new Tally(System.out::println));
    System.out.println("opened " + queue.size());
    for (int i = first; i < first + count; i++) {
      queue.put(queue.nextName(), Messages.numbered(i, random.nextInt(100_000)));
      System.out.println("put " + i);
    }
    while (System.in.read() >= 0) {
      // Until whoever started this has seen enough.
    }
    queue.close();
  }
}
