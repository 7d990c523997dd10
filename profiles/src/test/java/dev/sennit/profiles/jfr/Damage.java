/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * Damages a recording in many ways and reads everything of the result: run in a JVM with little
 * memory, so that no size in a file can ask for more.
 */
public final class Damage {
  private static final byte[] EVIL = {0, 1, -1, 0x7f, (byte) 0x80, 3, 4};

  private Damage() {}

  /** Arguments: the recording, the seed, how many mutations, the step of truncations. */
  public static void main(String[] args) throws IOException {
    byte[] intact = Files.readAllBytes(Path.of(args[0]));
    Path file = Files.createTempFile("damaged", ".jfr");
    Outcome outcome = new Outcome();
    try {
      Random random = new Random(Long.parseLong(args[1]));
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        outcome.add(file, mutate(intact, random), "mutation " + i);
      }
      int step = Integer.parseInt(args[3]);
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

  public static byte[] mutate(byte[] intact, Random random) {
    byte[] bytes = intact.clone();
    int changes = 1 + random.nextInt(8);
    for (int i = 0; i < changes; i++) {
      // Headers, metadata and pools are where a wrong byte does most.
      int at = random.nextInt(4) == 0 ? random.nextInt(68) : random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes[at] = EVIL[random.nextInt(EVIL.length)];
        default -> {
          int length = Math.min(1 + random.nextInt(16), bytes.length - at);
          System.arraycopy(bytes, random.nextInt(bytes.length - length), bytes, at, length);
        }
      }
    }
    return random.nextInt(8) == 0 ? Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length)) : bytes;
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
              sum[0] += reader.methods().find(stacks.method(i)) ? reader.methods().classId() : 0;
              sum[0] += String.valueOf(reader.symbol(reader.methods().nameSymbol())).length();
            }
          }
        }
      }
    }
    return sum[0];
  }
}
