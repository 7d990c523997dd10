/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Damages recordings, each number in a way of its own and always the same. Half of the damage is
 * done to the header, the metadata and the constants, where a wrong byte does most; but there is
 * little of it, so that it is not always the same first thing that is found.
 */
public final class Mutations {
  private static final byte[] EVIL = {0, 1, -1, 0x7f, (byte) 0x80, 3, 4};

  private static final int HEADER_SIZE = 68;
  private static final int SIZE_AT = 8;
  private static final int CONSTANTS_OFFSET_AT = 16;
  private static final int METADATA_OFFSET_AT = 24;

  /** How far from their start the metadata and the constants are damaged for sure. */
  private static final int REACH = 8 << 10;

  private final byte[] intact;
  private final Random random;

  private Mutations(byte[] intact, long number) {
    this.intact = intact;
    this.random = new Random(number);
  }

  /** The mutation of that number; what is intact stays so. */
  public static byte[] of(byte[] intact, long number) {
    return new Mutations(intact, number).mutate();
  }

  private byte[] mutate() {
    byte[] bytes = intact.clone();
    int changes = random.nextBoolean() ? 1 : 1 + random.nextInt(8);
    for (int i = 0; i < changes; i++) {
      int at = place();
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes[at] = EVIL[random.nextInt(EVIL.length)];
        case 3 -> {
          // A compressed integer as large as can be, or nearly.
          int end = Math.min(at + 1 + random.nextInt(9), bytes.length);
          Arrays.fill(bytes, at, end, (byte) -1);
          bytes[end - 1] = EVIL[random.nextInt(EVIL.length)];
        }
        case 4 -> {
          // What follows moves: it is no longer where it is counted or pointed to.
          int end = Math.min(at + 1 + random.nextInt(256), bytes.length);
          int by = Math.min(1 + random.nextInt(8), end - at);
          System.arraycopy(bytes, at, bytes, at + by, end - at - by);
        }
        default -> {
          int length = Math.min(1 + random.nextInt(16), bytes.length - at);
          System.arraycopy(bytes, random.nextInt(bytes.length - length), bytes, at, length);
        }
      }
    }
    return random.nextInt(16) == 0 ? Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length)) : bytes;
  }

  private int place() {
    int chunk = chunk();
    return switch (random.nextInt(16)) {
      case 0 -> chunk + random.nextInt(HEADER_SIZE);
      case 1, 2, 3 -> near(chunk, METADATA_OFFSET_AT);
      case 4, 5, 6, 7 -> near(chunk, CONSTANTS_OFFSET_AT);
      default -> random.nextInt(intact.length);
    };
  }

  /** Where one of the chunks starts, any of them. */
  private int chunk() {
    List<Integer> starts = new ArrayList<>();
    for (int at = 0; at < intact.length; at += number(at + SIZE_AT)) {
      starts.add(at);
    }
    return starts.get(random.nextInt(starts.size()));
  }

  /** Somewhere behind the offset that stands there in the header of a chunk. */
  private int near(int chunk, int offsetAt) {
    int start = chunk + number(chunk + offsetAt);
    return start + random.nextInt(Math.min(REACH, intact.length - start));
  }

  private int number(int at) {
    return (int) ByteBuffer.wrap(intact).getLong(at);
  }
}
