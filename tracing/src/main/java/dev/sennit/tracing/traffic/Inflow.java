/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.traffic;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * The bytes of one direction of a connection, in order, as far as they are not consumed. Some may
 * be missing: then only those before the gap are at hand, until the gap is skipped, by {@link
 * #skip} if the parser knows that the bytes there do not matter, or by {@link #resume}.
 *
 * <pre>
 *   consumed │ size() bytes at hand │ gap │ bytes behind it │ gap │ …
 * </pre>
 */
public final class Inflow {
  private static final int SMALLEST = 512;

  /** Calls are remembered as long as their bytes are; there may be many that move few or none. */
  private static final int MOST_RUNS = 8192;

  /** A run of bytes that one call moved, followed by those of it that were not captured. */
  private static final class Run {
    final Piece piece;
    int bytes;
    long missing;

    Run(Piece piece, int bytes, long missing) {
      this.piece = piece;
      this.bytes = bytes;
      this.missing = missing;
    }
  }

  private final int capacity;
  private final ArrayDeque<Run> runs = new ArrayDeque<>(2);
  private byte[] buffer = new byte[0];
  private int start;
  private int end;
  private int atHand;
  private int gaps;
  private long toSkip;
  private long moved;
  private Piece last = new Piece(0, 0, 0);
  private Piece skipped = last;

  /**
   * @param capacity how many bytes are held at most; what comes beyond, or with more calls than are
   *     remembered, is as good as not captured
   */
  public Inflow(int capacity) {
    this.capacity = capacity;
  }

  /**
   * Takes what a call moved.
   *
   * @param length how many bytes of {@code bytes} were captured
   * @param size how many were moved
   */
  public void append(Piece piece, byte[] bytes, int offset, int length, long size) {
    last = piece;
    moved += size;
    long passed = Math.min(toSkip, size);
    toSkip -= passed;
    if (passed > 0) {
      skipped = piece;
    }
    if (passed == size) {
      return;
    }
    boolean full = runs.size() >= MOST_RUNS;
    int from = (int) Math.min(passed, length);
    int taken = full ? 0 : Math.min(length - from, capacity - (end - start));
    long missing = size - Math.max(passed, length) + (length - from - taken);
    if (taken > 0) {
      makeRoom(taken);
      System.arraycopy(bytes, offset + from, buffer, end, taken);
      end += taken;
      if (gaps == 0) {
        atHand += taken;
      }
    }
    Run run = full ? runs.getLast() : new Run(piece, taken, 0);
    if (!full) {
      runs.add(run);
    }
    if (run.missing == 0 && missing > 0) {
      gaps++;
    }
    run.missing += missing;
  }

  private void makeRoom(int more) {
    if (end + more <= buffer.length) {
      return;
    }
    int held = end - start;
    byte[] target =
        held + more <= buffer.length
            ? buffer
            : new byte[Math.max(SMALLEST, Integer.highestOneBit(held + more - 1) << 1)];
    System.arraycopy(buffer, start, target, 0, held);
    buffer = target;
    start = 0;
    end = held;
  }

  /** How many bytes are at hand without a gap. */
  public int size() {
    return atHand;
  }

  /** Whether bytes are missing right behind those at hand: waiting for more is in vain. */
  public boolean isBroken() {
    return gaps > 0;
  }

  /** How many bytes this direction has moved in all, missing ones included. */
  public long moved() {
    return moved;
  }

  /** How many bytes are held in memory. */
  public int held() {
    return buffer.length;
  }

  /** The last call that moved bytes of this direction. */
  public Piece last() {
    return last;
  }

  /** The call that moved a byte at hand; for one that is not at hand yet, the last. */
  public Piece piece(int at) {
    int behind = at;
    for (Run run : runs) {
      if (behind < run.bytes) {
        return run.piece;
      }
      behind -= run.bytes;
    }
    return last;
  }

  /**
   * How many of the bytes at hand the call moved that moved the first of them: of a datagram, all.
   */
  public int run() {
    return runs.isEmpty() ? 0 : runs.getFirst().bytes;
  }

  /** Where the bytes at hand begin that the next call moved after the one that moved this byte. */
  public int nextRun(int at) {
    int end = 0;
    for (Run run : runs) {
      end += run.bytes;
      if (end > at) {
        break;
      }
    }
    return Math.min(end, atHand);
  }

  /** Whether the call that moved the first byte at hand moved others that are missing. */
  public boolean isRunBroken() {
    return !runs.isEmpty() && runs.getFirst().missing > 0;
  }

  /** Passes over what is left of the call that moved the first byte at hand, missing ones too. */
  public void skipRun() {
    if (!runs.isEmpty()) {
      Run run = runs.getFirst();
      skip(run.bytes + run.missing);
    }
  }

  /** A byte at hand, 0 to 255. */
  public int get(int at) {
    return buffer[start + check(at, 1)] & 0xff;
  }

  /** Two bytes, the most significant first. */
  public int getShort(int at) {
    check(at, 2);
    return get(at) << 8 | get(at + 1);
  }

  /** Four bytes, the most significant first. */
  public int getInt(int at) {
    check(at, 4);
    return getShort(at) << 16 | getShort(at + 2);
  }

  /** Three bytes, the least significant first. */
  public int getMediumLittle(int at) {
    check(at, 3);
    return get(at) | get(at + 1) << 8 | get(at + 2) << 16;
  }

  /** Four bytes, the least significant first. */
  public int getIntLittle(int at) {
    check(at, 4);
    return getMediumLittle(at) | get(at + 3) << 24;
  }

  /** Where a byte is at hand first, from an index on; -1 if it is not. */
  public int indexOf(int value, int from) {
    for (int i = start + from; i < start + atHand; i++) {
      if (buffer[i] == (byte) value) {
        return i - start;
      }
    }
    return -1;
  }

  /** Whether the bytes at hand begin with these, as far as there are any. */
  public boolean mayStartWith(byte[] prefix) {
    int compared = Math.min(prefix.length, atHand);
    return Arrays.equals(buffer, start, start + compared, prefix, 0, compared);
  }

  public byte[] bytes(int at, int length) {
    check(at, length);
    return Arrays.copyOfRange(buffer, start + at, start + at + length);
  }

  /** Bytes as text, each a character. */
  public String latin1(int at, int length) {
    check(at, length);
    return new String(buffer, start + at, length, StandardCharsets.ISO_8859_1);
  }

  /** Bytes as text; what is not UTF-8 becomes a replacement character. */
  public String utf8(int at, int length) {
    check(at, length);
    return new String(buffer, start + at, length, StandardCharsets.UTF_8);
  }

  private int check(int at, int length) {
    if (at < 0 || length < 0 || at > atHand - length) {
      throw new IndexOutOfBoundsException(
          length + " bytes at " + at + ", of which " + atHand + " are at hand");
    }
    return at;
  }

  /**
   * Passes over bytes, at hand or missing or still to come: a body, a value, whatever does not
   * matter.
   */
  public void skip(long count) {
    long left = count;
    while (left > 0 && !runs.isEmpty()) {
      Run run = runs.getFirst();
      int bytes = (int) Math.min(left, run.bytes);
      run.bytes -= bytes;
      start += bytes;
      left -= bytes;
      long missing = Math.min(left, run.missing);
      if (missing > 0 && missing == run.missing) {
        gaps--;
      }
      run.missing -= missing;
      left -= missing;
      skipped = run.piece;
      if (run.bytes == 0 && run.missing == 0) {
        runs.removeFirst();
      }
    }
    toSkip += left;
    tidy();
  }

  /** Whether bytes that were skipped are still to come. */
  public boolean isSkipping() {
    return toSkip > 0;
  }

  /** The call that moved the last of the bytes that were passed over, consumed ones included. */
  public Piece skipped() {
    return skipped;
  }

  /** Takes bytes that are at hand as done with. */
  public void consume(int count) {
    check(0, count);
    skip(count);
  }

  /** Drops what is at hand and the gap behind it; the next bytes begin anywhere in the protocol. */
  public void resume() {
    toSkip = 0;
    while (!runs.isEmpty()) {
      Run run = runs.removeFirst();
      skipped = run.piece;
      start += run.bytes;
      if (run.missing > 0) {
        gaps--;
        break;
      }
    }
    tidy();
  }

  /** Drops everything that has come; the next bytes begin anywhere in the protocol. */
  public void drop() {
    toSkip = 0;
    if (!runs.isEmpty()) {
      skipped = last;
    }
    runs.clear();
    gaps = 0;
    start = end;
    tidy();
  }

  private void tidy() {
    if (start == end) {
      start = 0;
      end = 0;
      if (buffer.length > SMALLEST) {
        buffer = new byte[0];
      }
    }
    if (gaps == 0) {
      atHand = end - start;
      return;
    }
    atHand = 0;
    for (Run run : runs) {
      atHand += run.bytes;
      if (run.missing > 0) {
        return;
      }
    }
  }
}
