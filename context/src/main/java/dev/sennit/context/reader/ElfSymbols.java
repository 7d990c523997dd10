/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The dynamic symbols of an {@link ElfImage}, looked up through its hash table as the dynamic
 * linker does: the GNU one where there is one, else that of the System V ABI.
 */
final class ElfSymbols {
  private static final int SYMBOL_LENGTH = 24;
  private static final int STT_FUNC = 2;
  private static final int STT_TLS = 6;

  /** Symbols in one bucket that are looked at; a real table has a handful. */
  private static final int MAX_CHAIN = 1024;

  /**
   * A thread-local variable that an image defines.
   *
   * @param index in the table of symbols
   * @param offset in the image's block of thread-local memory
   * @param size in bytes
   */
  record ThreadLocalSymbol(long index, long offset, long size) {}

  /** A symbol of any kind that an image defines. */
  private record Symbol(long index, long value, long size) {}

  /** What is looked for. */
  private record Wanted(int type, String name) {
    /** With the zero byte that ends it. */
    byte[] bytes() {
      return (name + '\0').getBytes(StandardCharsets.US_ASCII);
    }
  }

  private final MemoryCopy copy;
  private final long symbols;
  private final long strings;
  private final long gnuHash;
  private final long hash;

  /** Tables by their addresses; that of a hash table is 0 when there is none. */
  ElfSymbols(MemoryCopy copy, long symbols, long strings, long gnuHash, long hash) {
    this.copy = copy;
    this.symbols = symbols;
    this.strings = strings;
    this.gnuHash = gnuHash;
    this.hash = hash;
  }

  /** The thread-local variable {@code name}, if the image defines it for others. */
  @Nullable ThreadLocalSymbol findThreadLocal(String name) {
    @Nullable Symbol symbol = find(new Wanted(STT_TLS, name));
    return symbol == null ? null : new ThreadLocalSymbol(symbol.index, symbol.value, symbol.size);
  }

  /** The address of function {@code name} before the image was moved; -1 if it exports none. */
  long findFunction(String name) {
    @Nullable Symbol symbol = find(new Wanted(STT_FUNC, name));
    return symbol == null ? -1 : symbol.value;
  }

  private @Nullable Symbol find(Wanted wanted) {
    if (gnuHash != 0) {
      return findByGnuHash(wanted);
    }
    return hash != 0 ? findByHash(wanted) : null;
  }

  private @Nullable Symbol findByGnuHash(Wanted wanted) {
    if (!copy.load(gnuHash, 16)) {
      return null;
    }
    long bucketCount = copy.getInt(0);
    long firstSymbol = copy.getInt(4);
    long buckets = gnuHash + 16 + copy.getInt(8) * Long.BYTES;
    long chains = buckets + bucketCount * Integer.BYTES;
    long value = gnuHash(wanted.name);
    if (bucketCount == 0
        || !copy.load(buckets + value % bucketCount * Integer.BYTES, Integer.BYTES)) {
      return null;
    }
    long index = copy.getInt(0);
    for (int i = 0; i < MAX_CHAIN && index >= firstSymbol; i++, index++) {
      if (!copy.load(chains + (index - firstSymbol) * Integer.BYTES, Integer.BYTES)) {
        return null;
      }
      // The lowest bit of an entry marks the end of its chain; the others are those of the hash.
      long entry = copy.getInt(0);
      @Nullable Symbol symbol = (entry | 1) == (value | 1) ? symbol(index, wanted) : null;
      if (symbol != null || (entry & 1) != 0) {
        return symbol;
      }
    }
    return null;
  }

  private @Nullable Symbol findByHash(Wanted wanted) {
    if (!copy.load(hash, 8)) {
      return null;
    }
    long bucketCount = copy.getInt(0);
    long buckets = hash + 8;
    long chains = buckets + bucketCount * Integer.BYTES;
    if (bucketCount == 0
        || !copy.load(
            buckets + systemVHash(wanted.name) % bucketCount * Integer.BYTES, Integer.BYTES)) {
      return null;
    }
    long index = copy.getInt(0);
    for (int i = 0; i < MAX_CHAIN && index != 0; i++) {
      @Nullable Symbol symbol = symbol(index, wanted);
      if (symbol != null || !copy.load(chains + index * Integer.BYTES, Integer.BYTES)) {
        return symbol;
      }
      index = copy.getInt(0);
    }
    return null;
  }

  private @Nullable Symbol symbol(long index, Wanted wanted) {
    if (!copy.load(symbols + index * SYMBOL_LENGTH, SYMBOL_LENGTH)) {
      return null;
    }
    long name = copy.getInt(0);
    int type = copy.getByte(4) & 0xF;
    boolean defined = copy.getShort(6) != 0;
    Symbol symbol = new Symbol(index, copy.getLong(8), copy.getLong(16));
    byte[] bytes = wanted.bytes();
    return type == wanted.type
            && defined
            && copy.load(strings + name, bytes.length)
            && Arrays.equals(copy.toArray(bytes.length), bytes)
        ? symbol
        : null;
  }

  private static long gnuHash(String name) {
    int value = 5381;
    for (int i = 0; i < name.length(); i++) {
      value = value * 33 + name.charAt(i);
    }
    return Integer.toUnsignedLong(value);
  }

  private static long systemVHash(String name) {
    long value = 0;
    for (int i = 0; i < name.length(); i++) {
      value = (value << 4) + name.charAt(i);
      long high = value & 0xF0000000L;
      value = (value ^ (high >>> 24)) & ~high;
    }
    return value;
  }
}
