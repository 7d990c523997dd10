/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.sennit.context.memory.MappedRegion;
import dev.sennit.context.memory.ProcMaps;
import dev.sennit.context.reader.ElfImage.Relocation;
import dev.sennit.context.reader.ElfSymbols.ThreadLocalSymbol;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds an exported thread-local variable of another process. The symbol says which library has it;
 * where its threads have it is what the dynamic linker wrote when it resolved that library's
 * relocations (OTEP 4947 admits these models, and a reader must know them all):
 *
 * <pre>
 *   TLSDESC          {function, argument}: the argument is the distance from the thread pointer,
 *                    or the address of {module, offset, generation}
 *   DTPMOD, DTPOFF   {module, offset}
 *   TPOFF            the distance from the thread pointer
 *   none             in a program: its variables are next to the thread pointer
 * </pre>
 */
final class TlsLocator {
  /** Libraries that define the same variable; one is usual. */
  private static final int MAX_LOCATIONS = 4;

  /** Modules are numbered from 1 in the order of loading; more is no module but something else. */
  private static final long MAX_MODULE = 1 << 16;

  /**
   * A static block of more than 4 MiB does not occur, and nothing is mapped below: that tells
   * distances from addresses where both are positive.
   */
  private static final long MAX_STATIC_OFFSET = 4 << 20;

  private static final long AARCH64_DTPMOD = 1028;
  private static final long AARCH64_TPREL = 1030;
  private static final long AARCH64_TLSDESC = 1031;
  private static final long X86_64_DTPMOD = 16;
  private static final long X86_64_TPOFF = 18;
  private static final long X86_64_TLSDESC = 36;

  /** What lies between the thread pointer and the program's variables on aarch64. */
  private static final long AARCH64_THREAD_HEAD = 16;

  /** What came of the search. */
  sealed interface Result {
    record Found(Set<TlsLocation> locations) implements Result {}

    record Failed(ThreadReading reading) implements Result {}
  }

  private final MemoryCopy copy;
  private final String symbolName;
  private final Set<TlsLocation> locations = new LinkedHashSet<>();
  private final StringBuilder unresolved = new StringBuilder();
  private boolean musl;

  private TlsLocator(MemoryCopy copy, String symbolName) {
    this.copy = copy;
    this.symbolName = symbolName;
  }

  /** Finds variable {@code symbolName}, a pointer, in the process that {@code copy} reads. */
  static Result locate(MemoryCopy copy, String symbolName) {
    return new TlsLocator(copy, symbolName).locate();
  }

  private Result locate() {
    int pid = copy.memory().pid();
    long images;
    try {
      ProcMaps.forEach(ProcMaps.path(pid), this::noteMusl);
      images =
          RegionHeads.forEach(copy.memory(), TlsLocator::mayBeImage, Integer.BYTES, this::consider);
    } catch (IOException e) {
      return new Result.Failed(Refusal.of(pid, e));
    }
    if (!locations.isEmpty()) {
      return new Result.Found(locations);
    }
    if (images < 0) {
      return new Result.Failed(Refusal.of(pid, images));
    }
    String reason =
        unresolved.isEmpty()
            ? "none of its %d mapped files exports the thread-local symbol %s"
                .formatted(images, symbolName)
            : "%s exports the thread-local symbol %s, but not in a way that can be resolved"
                .formatted(unresolved, symbolName);
    return new Result.Failed(
        new ThreadReading.Unavailable(
            "process %d announces thread-local records, but %s".formatted(pid, reason)));
  }

  /** Musl's C library and dynamic linker are one file of either name; glibc has no such files. */
  private boolean noteMusl(MappedRegion region) {
    String file = region.name().substring(region.name().lastIndexOf('/') + 1);
    musl = file.startsWith("ld-musl-") || file.equals("libc.so");
    return !musl;
  }

  /** Data files are mapped shared or not at their start; to touch them might mean to wait. */
  private static boolean mayBeImage(MappedRegion region) {
    return region.fileOffset() == 0
        && !region.isAnonymous()
        && region.isReadable()
        && region.isPrivate();
  }

  private boolean consider(MappedRegion region, MemorySegment head) {
    if (head.get(JAVA_INT, 0) != ElfImage.MAGIC) {
      return true;
    }
    @Nullable ElfImage image = ElfImage.at(copy, region.start());
    if (image == null || image.machine() != machineOfThisHost()) {
      return true;
    }
    @Nullable ThreadLocalSymbol symbol = image.symbols().findThreadLocal(symbolName);
    if (symbol == null || symbol.size() != Long.BYTES) {
      return true;
    }
    @Nullable TlsLocation location = resolve(image, symbol);
    if (location == null) {
      unresolved.append(unresolved.isEmpty() ? "" : ", ").append(region.name());
    } else {
      locations.add(location);
    }
    return locations.size() < MAX_LOCATIONS;
  }

  private @Nullable TlsLocation resolve(ElfImage image, ThreadLocalSymbol symbol) {
    boolean x86 = image.machine() == ElfImage.MACHINE_X86_64;
    long tlsdesc = x86 ? X86_64_TLSDESC : AARCH64_TLSDESC;
    long dtpmod = x86 ? X86_64_DTPMOD : AARCH64_DTPMOD;
    long tpoff = x86 ? X86_64_TPOFF : AARCH64_TPREL;
    List<Relocation> relocations =
        image.relocations(
            r ->
                r.type() == dtpmod
                    ? r.symbol() == symbol.index() || r.symbol() == 0
                    : (r.type() == tlsdesc || r.type() == tpoff) && isFor(symbol, r));
    for (Relocation relocation : relocations) {
      long at = relocation.address();
      @Nullable TlsLocation location;
      if (relocation.type() == tlsdesc) {
        location = fromDescriptor(at, x86);
      } else if (relocation.type() == tpoff) {
        location = copy.load(at, Long.BYTES) ? new TlsLocation.Static(copy.getLong(0)) : null;
      } else {
        location = fromPair(at, 0);
        // Without a symbol the pair may be that of another variable.
        if (relocation.symbol() == 0
            && location instanceof TlsLocation.Dynamic dynamic
            && dynamic.offset() != symbol.offset()) {
          location = null;
        }
      }
      if (location != null) {
        return location;
      }
    }
    return image.isExecutable() ? inProgram(image, symbol, x86) : null;
  }

  /** A symbol bound inside its library is no longer named: the addend is then its offset. */
  private static boolean isFor(ThreadLocalSymbol symbol, Relocation relocation) {
    return relocation.symbol() == symbol.index()
        ? relocation.addend() == 0
        : relocation.symbol() == 0 && relocation.addend() == symbol.offset();
  }

  private @Nullable TlsLocation fromDescriptor(long address, boolean x86) {
    long argument = copy.word(address + Long.BYTES, 0);
    // Below the thread pointer on x86-64, hence negative; above it on aarch64.
    boolean isDistance = x86 ? argument < 0 : argument > 0 && argument < MAX_STATIC_OFFSET;
    if (isDistance) {
      return new TlsLocation.Static(argument);
    }
    return fromPair(argument, musl ? 0 : copy.word(argument + 2 * Long.BYTES, 0));
  }

  /** Takes {module, offset}; null when that is not what lies there. */
  private @Nullable TlsLocation fromPair(long address, long generation) {
    if (!copy.load(address, 2 * Long.BYTES)) {
      return null;
    }
    long module = copy.getLong(0);
    return module >= 1 && module <= MAX_MODULE
        ? new TlsLocation.Dynamic(
            TlsAbi.of(machineOfThisHost(), musl), module, copy.getLong(Long.BYTES), generation)
        : null;
  }

  /** Models "local exec" of both architectures: the linker knew the distance and left no trace. */
  private static TlsLocation inProgram(ElfImage image, ThreadLocalSymbol symbol, boolean x86) {
    long alignment = image.tlsAlignment();
    return new TlsLocation.Static(
        x86
            ? symbol.offset() - roundUp(image.tlsLength(), alignment)
            : roundUp(AARCH64_THREAD_HEAD, alignment) + symbol.offset());
  }

  private static long roundUp(long value, long alignment) {
    return Math.ceilDiv(value, alignment) * alignment;
  }

  private static int machineOfThisHost() {
    return System.getProperty("os.arch", "").equals("aarch64")
        ? ElfImage.MACHINE_AARCH64
        : ElfImage.MACHINE_X86_64;
  }
}
