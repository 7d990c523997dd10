/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

/**
 * Where a C library keeps thread-local variables: how the dynamic thread vector (DTV) is found from
 * the thread pointer, and how it is laid out. These are internals of the two libraries that have
 * not changed since they exist; debuggers rely on the same.
 *
 * <pre>
 *              thread pointer points at        dtv[-1]   dtv[0]       dtv[module]
 *   glibc      x86-64: {tcb, dtv, ...}         length    generation   {address, to free}, 16 bytes
 *              aarch64: {dtv, ...}
 *   musl       x86-64: {self, dtv, ...}        -         length       address, 8 bytes
 *              aarch64: after {..., dtv}
 * </pre>
 */
enum TlsAbi {
  GLIBC_X86_64(8, 16, -16, true),
  GLIBC_AARCH64(0, 16, -16, true),
  MUSL_X86_64(8, 8, 0, false),
  MUSL_AARCH64(-8, 8, 0, false);

  private final int vectorOffset;
  private final int entryLength;
  private final int lengthOffset;
  private final boolean hasGeneration;

  TlsAbi(int vectorOffset, int entryLength, int lengthOffset, boolean hasGeneration) {
    this.vectorOffset = vectorOffset;
    this.entryLength = entryLength;
    this.lengthOffset = lengthOffset;
    this.hasGeneration = hasGeneration;
  }

  static TlsAbi of(int machine, boolean musl) {
    if (machine == ElfImage.MACHINE_X86_64) {
      return musl ? MUSL_X86_64 : GLIBC_X86_64;
    }
    return musl ? MUSL_AARCH64 : GLIBC_AARCH64;
  }

  /**
   * The address of a module's variables in the thread whose thread pointer is given; 0 when the
   * thread has none yet.
   *
   * @param generation of the vector that the module needs at least; 0 when that is not known
   */
  long block(MemoryCopy copy, long threadPointer, long module, long generation) {
    long vector = copy.word(threadPointer + vectorOffset, 0);
    if (vector == 0 || Long.compareUnsigned(copy.word(vector + lengthOffset, 0), module) < 0) {
      return 0;
    }
    // An older vector may still name the variables of a library that was unloaded.
    if (hasGeneration && copy.word(vector, 0) < generation) {
      return 0;
    }
    // glibc allocates at the first use; until then the address is -1.
    long block = copy.word(vector + module * entryLength, 0);
    return block == -1 ? 0 : block;
  }
}
