/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Damages a recording in many ways and reads everything of the result: run in a JVM with little
 * memory, so that no size in a file can ask for more.
 */
final class Damage {
  private Damage() {}

  /** Arguments: the recording, how many mutations, the step of truncations. */
  public static void main(String[] args) throws IOException {
    byte[] intact = Files.readAllBytes(Path.of(args[0]));
    Path file = Files.createTempFile("damaged", ".jfr");
    Outcome outcome = new Outcome();
    try {
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        outcome.add(file, Mutations.of(intact, i), "mutation " + i);
      }
      int step = Integer.parseInt(args[2]);
      for (int length = 0; step > 0 && length < intact.length; length += step) {
        outcome.add(file, Arrays.copyOf(intact, length), "length " + length);
      }
    } finally {
      Files.delete(file);
    }
    System.out.println("read " + outcome.read + " refused " + outcome.refused);
  }

  private static final class Outcome {
    int read;
    int refused;

    void add(Path file, byte[] bytes, String how) throws IOException {
      Files.write(file, bytes);
      try {
        readEverything(file);
        read++;
      } catch (JfrFormatException e) {
        refused++;
      } catch (RuntimeException | Error e) {
        throw new IllegalStateException(how, e);
      }
    }
  }

  /** Every field of every event, every stack trace, every text. */
  static long readEverything(Path path) throws IOException {
    long[] sum = new long[1];
    try (JfrFile file = JfrFile.open(path)) {
      for (JfrChunk chunk : file.chunks()) {
        try (ChunkReader reader = chunk.open()) {
          for (String name : reader.types().names()) {
            reader.subscribe(name, reader.types().fields(name).toArray(String[]::new));
          }
          reader.forEachEvent(
              event -> {
                for (int i = 0; i < event.names().size(); i++) {
                  sum[0] += event.longValue(i) + String.valueOf(event.text(i)).length();
                }
              });
          StackTraces stacks = reader.stackTraces();
          for (long id : stacks.ids()) {
            stacks.find(id);
            for (int i = 0; i < stacks.depth(); i++) {
              sum[0] +=
                  reader.methods().find(stacks.method(stacks.frame(i)))
                      ? reader.methods().classId()
                      : 0;
              sum[0] += String.valueOf(reader.symbol(reader.methods().nameSymbol())).length();
            }
          }
        }
      }
    }
    return sum[0];
  }
}
