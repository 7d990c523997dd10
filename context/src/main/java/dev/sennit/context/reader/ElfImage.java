/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A program or library as it lies in the memory of another process, so that it makes no difference
 * whether its file still exists. Only what finding an exported variable or function needs is
 * understood (System V ABI, chapters 4 and 5; 64 bits, little endian).
 *
 * <p>Nothing in it is trusted: every table has a limit, and an address that leads nowhere ends the
 * search.
 */
final class ElfImage {
  /** {@code e_machine} of x86-64. */
  static final int MACHINE_X86_64 = 62;

  /** {@code e_machine} of aarch64. */
  static final int MACHINE_AARCH64 = 183;

  static final int MAGIC = 0x464C457F;
  private static final int CLASS_64_LITTLE_ENDIAN = 0x0102;
  private static final int TYPE_EXECUTABLE = 2;
  private static final int HEADER_LENGTH = 64;

  private static final int PROGRAM_HEADER_LENGTH = 56;
  private static final int MAX_PROGRAM_HEADERS = 128;
  private static final int PT_LOAD = 1;
  private static final int PT_DYNAMIC = 2;
  private static final int PT_TLS = 7;

  private static final int MAX_DYNAMIC_LENGTH = 16 * 1024;
  private static final long DT_PLTRELSZ = 2;
  private static final long DT_HASH = 4;
  private static final long DT_STRTAB = 5;
  private static final long DT_SYMTAB = 6;
  private static final long DT_RELA = 7;
  private static final long DT_RELASZ = 8;
  private static final long DT_JMPREL = 23;
  private static final long DT_GNU_HASH = 0x6ffffef5L;
  private static final long DT_FLAGS_1 = 0x6ffffffbL;
  private static final long DF_1_PIE = 0x08000000L;

  private static final int RELOCATION_LENGTH = 24;

  /** 24 MB of relocations; the largest libraries have a tenth. */
  private static final int MAX_RELOCATIONS = 1 << 20;

  private static final int MAX_MATCHES = 64;

  /**
   * A relocation with addend.
   *
   * @param address where the dynamic linker wrote its result
   * @param symbol index in the table of symbols, 0 for none
   */
  record Relocation(long address, long type, long symbol, long addend) {}

  /** A part of the file that is mapped: its address before the image was moved. */
  private record Segment(long address, long fileOffset, long length) {}

  private final MemoryCopy copy;
  private final List<Segment> segments = new ArrayList<>();
  private final int machine;
  private final boolean fixed;

  private long bias;
  private long lowest = Long.MAX_VALUE;
  private long highest;
  private long dynamic;
  private long dynamicLength;
  private long tlsLength;
  private long tlsAlignment = 1;

  private boolean positionIndependentExecutable;
  private long hash;
  private long gnuHash;
  private long strings;
  private long symbols;
  private long relocations;
  private long relocationsLength;
  private long pltRelocations;
  private long pltRelocationsLength;

  private ElfImage(MemoryCopy copy, int machine, boolean fixed) {
    this.copy = copy;
    this.machine = machine;
    this.fixed = fixed;
  }

  /** The image whose header lies at {@code start}; null when there is none with symbols. */
  static @Nullable ElfImage at(MemoryCopy copy, long start) {
    if (!copy.load(start, HEADER_LENGTH)
        || copy.getInt(0) != MAGIC
        || copy.getShort(4) != CLASS_64_LITTLE_ENDIAN
        || copy.getShort(54) != PROGRAM_HEADER_LENGTH) {
      return null;
    }
    ElfImage image = new ElfImage(copy, copy.getShort(18), copy.getShort(16) == TYPE_EXECUTABLE);
    return image.readProgramHeaders(start, copy.getLong(32), copy.getShort(56))
            && image.readDynamic()
        ? image
        : null;
  }

  private boolean readProgramHeaders(long start, long offset, int count) {
    if (count > MAX_PROGRAM_HEADERS
        || !copy.load(start + offset, (long) count * PROGRAM_HEADER_LENGTH)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      long at = (long) i * PROGRAM_HEADER_LENGTH;
      long fileOffset = copy.getLong(at + 8);
      long address = copy.getLong(at + 16);
      long length = copy.getLong(at + 40);
      switch ((int) copy.getInt(at)) {
        case PT_LOAD -> {
          segments.add(new Segment(address, fileOffset, copy.getLong(at + 32)));
          lowest = Math.min(lowest, address);
          highest = Math.max(highest, address + length);
          if (fileOffset == 0) {
            bias = start - address;
          }
        }
        case PT_DYNAMIC -> {
          dynamic = address;
          dynamicLength = length;
        }
        case PT_TLS -> {
          tlsLength = length;
          tlsAlignment = Math.max(1, copy.getLong(at + 48));
        }
        default -> {}
      }
    }
    return dynamic != 0;
  }

  private boolean readDynamic() {
    int length = (int) Math.clamp(dynamicLength, 0L, MAX_DYNAMIC_LENGTH);
    if (!copy.load(bias + dynamic, length)) {
      return false;
    }
    for (int at = 0; at + 16 <= length && copy.getLong(at) != 0; at += 16) {
      long tag = copy.getLong(at);
      long value = copy.getLong(at + 8);
      if (tag == DT_HASH) {
        hash = address(value);
      } else if (tag == DT_GNU_HASH) {
        gnuHash = address(value);
      } else if (tag == DT_STRTAB) {
        strings = address(value);
      } else if (tag == DT_SYMTAB) {
        symbols = address(value);
      } else if (tag == DT_RELA) {
        relocations = address(value);
      } else if (tag == DT_RELASZ) {
        relocationsLength = value;
      } else if (tag == DT_JMPREL) {
        pltRelocations = address(value);
      } else if (tag == DT_PLTRELSZ) {
        pltRelocationsLength = value;
      } else if (tag == DT_FLAGS_1) {
        positionIndependentExecutable = (value & DF_1_PIE) != 0;
      }
    }
    return symbols != 0 && strings != 0;
  }

  /** glibc makes the addresses of the dynamic section absolute, in place; musl leaves them. */
  private long address(long value) {
    return value >= lowest && value < highest ? bias + value : value;
  }

  int machine() {
    return machine;
  }

  /** Whether this is the program itself and no library. */
  boolean isExecutable() {
    return fixed || positionIndependentExecutable;
  }

  /** Bytes of the image's thread-local variables. */
  long tlsLength() {
    return tlsLength;
  }

  long tlsAlignment() {
    return tlsAlignment;
  }

  /** Where in the file is what has this address before the image is moved; -1 if nowhere. */
  long fileOffset(long address) {
    for (Segment segment : segments) {
      if (address >= segment.address && address - segment.address < segment.length) {
        return segment.fileOffset + (address - segment.address);
      }
    }
    return -1;
  }

  ElfSymbols symbols() {
    return new ElfSymbols(copy, symbols, strings, gnuHash, hash);
  }

  /** The relocations of both tables that {@code which} chooses, a limited number of them. */
  List<Relocation> relocations(Predicate<Relocation> which) {
    List<Relocation> chosen = new ArrayList<>();
    collect(relocations, relocationsLength, which, chosen);
    collect(pltRelocations, pltRelocationsLength, which, chosen);
    return chosen;
  }

  private void collect(
      long table, long length, Predicate<Relocation> which, List<Relocation> chosen) {
    long count = Math.clamp(length / RELOCATION_LENGTH, 0L, MAX_RELOCATIONS);
    int window = MemoryCopy.MAX_LENGTH / RELOCATION_LENGTH;
    for (long first = 0; first < count; first += window) {
      int here = (int) Math.min(window, count - first);
      if (!copy.load(table + first * RELOCATION_LENGTH, (long) here * RELOCATION_LENGTH)) {
        return;
      }
      for (int i = 0; i < here; i++) {
        long at = (long) i * RELOCATION_LENGTH;
        Relocation relocation =
            new Relocation(
                bias + copy.getLong(at),
                copy.getInt(at + 8),
                copy.getInt(at + 12),
                copy.getLong(at + 16));
        if (which.test(relocation) && chosen.size() < MAX_MATCHES) {
          chosen.add(relocation);
        }
      }
    }
  }
}
