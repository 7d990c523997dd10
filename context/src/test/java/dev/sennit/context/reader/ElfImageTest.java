/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.testing.CProgram;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requires(commands = "gcc")
class ElfImageTest {
  private static final String SYMBOL = "otel_thread_ctx_v1";
  private static final int MUTATIONS = 3_000;

  @TempDir Path folder;

  @Test
  void findsASymbolAndItsRelocationInEitherKindOfHashTable() throws IOException {
    for (String style : new String[] {"gnu", "sysv", "both"}) {
      try (Arena arena = Arena.ofShared();
          ProcessMemory memory = ownMemory();
          MemoryCopy copy = new MemoryCopy(memory)) {
        MemorySegment loaded = load(arena, library("-Wl,--hash-style=" + style));
        ElfImage image = Objects.requireNonNull(ElfImage.at(copy, loaded.address()));

        ElfSymbols.ThreadLocalSymbol symbol =
            Objects.requireNonNull(image.symbols().findThreadLocal(SYMBOL));

        assertThat(symbol.offset()).isEqualTo(40);
        assertThat(symbol.size()).isEqualTo(8);
        assertThat(image.relocations(r -> r.symbol() == symbol.index())).hasSize(1);
        assertThat(image.symbols().findThreadLocal("otel_thread_ctx_v2")).isNull();
        assertThat(image.symbols().findThreadLocal("thread_context"))
            .as("a function is no variable")
            .isNull();
        assertThat(image.isExecutable()).isFalse();
      }
    }
  }

  @Test
  void anImageThatLiesInAnyWayEndsTheSearch() throws IOException {
    Random random = new Random(4947);
    long[] extremes = {0, 1, -1, 0xffffffffL, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40, 0x7fffffff};
    try (Arena arena = Arena.ofShared();
        ProcessMemory memory = ownMemory();
        MemoryCopy copy = new MemoryCopy(memory)) {
      MemorySegment original = load(arena, library("-Wl,--hash-style=both"));
      MemorySegment mutated = arena.allocate(original.byteSize(), 4096);
      long limit = original.byteSize() - Long.BYTES;
      for (int i = 0; i < MUTATIONS; i++) {
        mutated.copyFrom(original);
        for (int k = random.nextInt(1, 9); k > 0; k--) {
          // Headers and tables lie at the beginning, the dynamic section near the end.
          long at = random.nextBoolean() ? random.nextLong(8, 1024) : random.nextLong(limit);
          mutated.set(
              JAVA_LONG_UNALIGNED,
              at,
              random.nextBoolean() ? extremes[random.nextInt(extremes.length)] : random.nextLong());
        }
        @Nullable ElfImage image = ElfImage.at(copy, mutated.address());
        if (image != null) {
          image.symbols().findThreadLocal(SYMBOL);
          assertThat(image.relocations(r -> true)).hasSizeLessThanOrEqualTo(64);
        }
      }
    }
  }

  private static ProcessMemory ownMemory() {
    return ProcessMemory.of(Math.toIntExact(ProcessHandle.current().pid()));
  }

  private byte[] library(String flag) throws IOException {
    return Files.readAllBytes(
        CProgram.compile(
            ElfImageTest.class,
            "otep_variable.c",
            folder,
            "-shared",
            "-fPIC",
            "-mtls-dialect=gnu2",
            flag));
  }

  /** Lays the segments of a library out as a loader does. */
  private static MemorySegment load(Arena arena, byte[] file) {
    ByteBuffer elf = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int headers = (int) elf.getLong(32);
    MemorySegment memory = arena.allocate(64 * 1024, 4096);
    for (int i = 0; i < elf.getShort(56); i++) {
      int header = headers + 56 * i;
      if (elf.getInt(header) == 1) {
        MemorySegment.copy(
            file,
            (int) elf.getLong(header + 8),
            memory,
            JAVA_BYTE,
            elf.getLong(header + 16),
            (int) elf.getLong(header + 32));
      }
    }
    return memory;
  }
}
