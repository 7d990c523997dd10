/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A position in a chunk, and the encodings of the format from there on. Positions count from the
 * start of the chunk; nothing is read outside it.
 *
 * <p>A compressed integer has seven bits a byte, lowest first, and goes on while the top bit is
 * set; a ninth byte has eight bits and is the last. It is read eight bytes at a time: one access,
 * one check, and no loop.
 */
final class ChunkCursor {
  private static final long TOP_BITS = 0x8080_8080_8080_8080L;
  private static final int LONGEST = 9;

  static final int STRING_NULL = 0;
  static final int STRING_EMPTY = 1;
  static final int STRING_CONSTANT = 2;
  static final int STRING_UTF_8 = 3;
  static final int STRING_CHARS = 4;
  static final int STRING_LATIN_1 = 5;

  private final ChunkBytes bytes;
  private final long end;
  private final long lastWord;
  private final boolean compressed;
  private final Path file;
  private final long base;
  private long position;

  ChunkCursor(MemorySegment bytes, boolean compressed, Path file, long base) {
    this(new ChunkBytes(bytes), compressed, file, base);
  }

  ChunkCursor(ChunkBytes bytes, boolean compressed, Path file, long base) {
    this.bytes = bytes;
    this.end = bytes.size();
    this.lastWord = end - Long.BYTES;
    this.compressed = compressed;
    this.file = file;
    this.base = base;
  }

  long end() {
    return end;
  }

  boolean compressed() {
    return compressed;
  }

  long position() {
    return position;
  }

  long remaining() {
    return end - position;
  }

  void seek(long target) throws JfrFormatException {
    if (target < 0 || target > end) {
      throw error("something is said to be at " + (base + target) + ", outside the chunk");
    }
    position = target;
  }

  MemorySegment slice(long from, long to) throws JfrFormatException {
    if (from > to || to > end) {
      throw error("something should be from " + (base + from) + " to " + (base + to));
    }
    return bytes.slice(from, to);
  }

  JfrFormatException error(String reason) {
    return error(position, reason);
  }

  JfrFormatException error(long at, String reason) {
    return new JfrFormatException(file, base + at, reason);
  }

  byte readByte() throws JfrFormatException {
    return bytes.get(advance(1));
  }

  short readShort() throws JfrFormatException {
    return compressed ? (short) readVarint() : bytes.bigEndianShort(advance(Short.BYTES));
  }

  char readChar() throws JfrFormatException {
    return (char) readShort();
  }

  int readInt() throws JfrFormatException {
    return compressed ? (int) readVarint() : bytes.bigEndianInt(advance(Integer.BYTES));
  }

  long readLong() throws JfrFormatException {
    return compressed ? readVarint() : bytes.bigEndianLong(advance(Long.BYTES));
  }

  float readFloat() throws JfrFormatException {
    return Float.intBitsToFloat(bytes.bigEndianInt(advance(Float.BYTES)));
  }

  double readDouble() throws JfrFormatException {
    return Double.longBitsToDouble(bytes.bigEndianLong(advance(Double.BYTES)));
  }

  /** Reads how many elements follow, each of which has at least one byte. */
  int readCount(String what) throws JfrFormatException {
    long at = position;
    int count = readInt();
    if (count < 0 || count > remaining()) {
      throw error(at, count + " " + what + " where " + remaining() + " bytes remain");
    }
    return count;
  }

  private long advance(int size) throws JfrFormatException {
    long at = position;
    if (size > end - at) {
      throw endReached();
    }
    position = at + size;
    return at;
  }

  private JfrFormatException endReached() {
    return error("the chunk ends in the middle of a value");
  }

  private long readVarint() throws JfrFormatException {
    long at = position;
    if (at >= lastWord) {
      return readVarintAtEnd();
    }
    long word = bytes.word(at);
    if ((word & 0x80) == 0) {
      position = at + 1;
      return word & 0x7f;
    }
    long stops = ~word & TOP_BITS;
    if (stops == 0) {
      position = at + LONGEST;
      return joinSevens(word) | (long) bytes.get(at + 8) << 56;
    }
    int bits = Long.numberOfTrailingZeros(stops) + 1;
    position = at + (bits >>> 3);
    return joinSevens(word & (-1L >>> (Long.SIZE - bits)));
  }

  /**
   * Reads frames of four integers each: the bytes of the first of them and of the others are what
   * {@code frames} knows a frame by.
   *
   * @param target for the numbers of the frames
   */
  void readFrames(FrameTable frames, int[] target, int count) throws JfrFormatException {
    for (int i = 0; i < count; i++) {
      target[i] = readFrame(frames);
    }
  }

  private int readFrame(FrameTable frames) throws JfrFormatException {
    long at = position;
    if (at >= lastWord - Long.BYTES) {
      return readLongFrame(frames);
    }
    long word = bytes.word(at);
    long stop = ~word & TOP_BITS;
    long method = word & (stop ^ stop - 1);
    long next = at + ((Long.numberOfTrailingZeros(stop) + 1) >>> 3);
    word = bytes.word(next);
    long thirdStop = ~word & TOP_BITS;
    thirdStop &= thirdStop - 1;
    thirdStop &= thirdStop - 1;
    if (stop == 0 || thirdStop == 0) {
      return readLongFrame(frames);
    }
    long others = word & (thirdStop ^ thirdStop - 1);
    int number = frames.number(method, others);
    if (number < 0) {
      return addFrame(frames, method, others);
    }
    position = next + ((Long.numberOfTrailingZeros(thirdStop) + 1) >>> 3);
    return number;
  }

  private int addFrame(FrameTable frames, long method, long others) throws JfrFormatException {
    return frames.add(method, others, readVarint(), readVarint(), readVarint(), readVarint());
  }

  /** Of a frame with more bytes than two words have, or at the end of the chunk. */
  private int readLongFrame(FrameTable frames) throws JfrFormatException {
    return frames.number(readVarint(), readVarint(), readVarint(), readVarint());
  }

  private static long joinSevens(long word) {
    long pairs = (word & 0x007f_007f_007f_007fL) | ((word & 0x7f00_7f00_7f00_7f00L) >>> 1);
    long quads = (pairs & 0x0000_3fff_0000_3fffL) | ((pairs & 0x3fff_0000_3fff_0000L) >>> 2);
    return (quads & 0x0fff_ffffL) | ((quads & 0x0fff_ffff_0000_0000L) >>> 4);
  }

  private long readVarintAtEnd() throws JfrFormatException {
    long value = 0;
    for (int i = 0; i < LONGEST - 1; i++) {
      byte b = readByte();
      value |= (b & 0x7fL) << (7 * i);
      if (b >= 0) {
        return value;
      }
    }
    return value | (long) readByte() << 56;
  }

  void skipBytes(long count) throws JfrFormatException {
    if (count < 0 || count > end - position) {
      throw endReached();
    }
    position += count;
  }

  /**
   * Skips compressed integers by counting the bytes without a top bit, a word at a time. A ninth
   * byte may have one or not, so a run of eight top bits, within a word or across two, is taken one
   * integer at a time.
   */
  void skipVarints(long count) throws JfrFormatException {
    long at = position;
    long left = count;
    int run = 0;
    while (left > 0 && at <= lastWord) {
      long stops = ~bytes.word(at) & TOP_BITS;
      if (run + (Long.numberOfTrailingZeros(stops) >>> 3) >= LONGEST - 1) {
        position = at - run;
        skipVarintAtEnd();
        at = position;
        run = 0;
        left--;
        continue;
      }
      int found = Long.bitCount(stops);
      if (found >= left) {
        for (; left > 1; left--) {
          stops &= stops - 1;
        }
        position = at + (Long.numberOfTrailingZeros(stops) >>> 3) + 1;
        return;
      }
      left -= found;
      at += Long.BYTES;
      run = Long.numberOfLeadingZeros(stops) >>> 3;
    }
    position = at - run;
    for (; left > 0; left--) {
      skipVarintAtEnd();
    }
  }

  /**
   * Skips compressed integers as {@link #skipVarints} does, and takes the fingerprint of their
   * bytes on the way.
   *
   * @return false without a fingerprint, since the chunk ends soon or an integer may have nine
   *     bytes
   */
  boolean fingerprint(long count, Fingerprint target) throws JfrFormatException {
    long at = position;
    long left = count;
    int run = 0;
    // Not in the fields of the target, which would be written and read again for every word.
    long first = Fingerprint.first(Fingerprint.FIRST_START, count);
    long second = Fingerprint.second(Fingerprint.SECOND_START, count);
    while (left > 0) {
      long word = at <= lastWord ? bytes.word(at) : -1;
      long stops = ~word & TOP_BITS;
      if (run + (Long.numberOfTrailingZeros(stops) >>> 3) >= LONGEST - 1) {
        skipVarints(count);
        return false;
      }
      int found = Long.bitCount(stops);
      if (found >= left) {
        for (; left > 1; left--) {
          stops &= stops - 1;
        }
        int last = Long.numberOfTrailingZeros(stops);
        word &= -1L >>> (Long.SIZE - 1 - last);
        target.set(Fingerprint.first(first, word), Fingerprint.second(second, word));
        position = at + (last >>> 3) + 1;
        return true;
      }
      first = Fingerprint.first(first, word);
      second = Fingerprint.second(second, word);
      left -= found;
      at += Long.BYTES;
      run = Long.numberOfLeadingZeros(stops) >>> 3;
    }
    target.set(first, second);
    return true;
  }

  private void skipVarintAtEnd() throws JfrFormatException {
    for (int i = 0; i < LONGEST; i++) {
      if (readByte() >= 0) {
        return;
      }
    }
  }

  void skipString() throws JfrFormatException {
    long at = position;
    byte encoding = readByte();
    switch (encoding) {
      case STRING_NULL, STRING_EMPTY -> {}
      case STRING_CONSTANT -> readLong();
      case STRING_UTF_8, STRING_LATIN_1 -> skipBytes(readCount("bytes of a text"));
      case STRING_CHARS -> {
        int count = readCount("characters of a text");
        if (compressed) {
          skipVarints(count);
        } else {
          skipBytes(2L * count);
        }
      }
      default -> throw unknownEncoding(at, encoding);
    }
  }

  /** Reads a text; the constant that it may name is looked up in {@code constants}. */
  @Nullable String readString(TextConstants constants) throws JfrFormatException {
    long at = position;
    byte encoding = readByte();
    return switch (encoding) {
      case STRING_NULL -> null;
      case STRING_EMPTY -> "";
      case STRING_CONSTANT -> constants.text(readLong());
      case STRING_UTF_8 -> readBytes(StandardCharsets.UTF_8);
      case STRING_LATIN_1 -> readBytes(StandardCharsets.ISO_8859_1);
      case STRING_CHARS -> readChars();
      default -> throw unknownEncoding(at, encoding);
    };
  }

  private JfrFormatException unknownEncoding(long at, byte encoding) {
    return error(at, "a text has encoding " + encoding + ", only 0 to 5 are known");
  }

  private String readBytes(Charset charset) throws JfrFormatException {
    int count = readCount("bytes of a text");
    byte[] text = bytes.copy(position, count);
    position += count;
    return new String(text, charset);
  }

  private String readChars() throws JfrFormatException {
    int count = readCount("characters of a text");
    char[] text = new char[count];
    for (int i = 0; i < count; i++) {
      text[i] = readChar();
    }
    return new String(text);
  }

  /** Texts that others refer to by number. */
  interface TextConstants {
    /** For a place where no constant can be: none is found. */
    TextConstants NONE = id -> null;

    @Nullable String text(long id) throws JfrFormatException;
  }
}
