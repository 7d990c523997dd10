/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import static dev.sennit.context.process.ProcessContextHeader.NAME;
import static dev.sennit.context.process.ProcessContextHeader.PAYLOAD_ADDRESS_OFFSET;
import static dev.sennit.context.process.ProcessContextHeader.PAYLOAD_SIZE_OFFSET;
import static dev.sennit.context.process.ProcessContextHeader.PUBLISHED_AT_OFFSET;
import static dev.sennit.context.process.ProcessContextHeader.SIGNATURE;
import static dev.sennit.context.process.ProcessContextHeader.SIGNATURE_OFFSET;
import static dev.sennit.context.process.ProcessContextHeader.VERSION;
import static dev.sennit.context.process.ProcessContextHeader.VERSION_OFFSET;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.MappedRegion;
import dev.sennit.context.memory.Memory;
import dev.sennit.context.memory.ProcMaps;
import dev.sennit.context.memory.ProcessMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mapping in this process that holds its record, made here or found where somebody else made
 * it.
 *
 * <pre>
 *   A mapping that is made here
 *   0        32       4096               69632              135168
 *   +--------+--------+------------------+------------------+
 *   | header | unused | first payload    | second payload   |
 *   |        |        | area             | area             |
 *   +--------+--------+------------------+------------------+
 * </pre>
 */
record ProcessRecord(long address, long length, boolean isWritable) {
  private static final int AREAS_OFFSET = 4096;
  private static final long LENGTH = AREAS_OFFSET + PayloadAreas.LENGTH;

  /** What is read of a payload that somebody else published. */
  private static final int MAX_FOREIGN_PAYLOAD = 1024 * 1024;

  private static final Path OWN_MAPS = Path.of("/proc/self/maps");

  /**
   * Finds the record of this process, whoever published it; without one, a mapping at one of the
   * {@code known} addresses that held it before.
   */
  static @Nullable ProcessRecord find(List<Long> known) throws IOException {
    List<MappedRegion> regions = new ArrayList<>();
    ProcMaps.forEach(
        OWN_MAPS,
        region -> {
          if (ProcessContextHeader.isMappingName(region.name())) {
            regions.add(region);
          }
          return true;
        });
    @Nullable ProcessRecord vacant = null;
    for (MappedRegion region : regions) {
      ProcessRecord record = new ProcessRecord(region.start(), region.size(), region.isWritable());
      if (record.isPublished()) {
        return record;
      }
      if (known.contains(record.address)) {
        vacant = record;
      }
    }
    return vacant;
  }

  /**
   * Publishes in a new mapping, step by step as the publication protocol says.
   *
   * @throws ProcessContextException if a step fails that readers cannot do without; nothing is left
   *     behind then
   */
  static ProcessRecord create(byte[] payload, long timestamp) {
    long fd = memfd();
    ProcessRecord record = new ProcessRecord(map(fd), LENGTH, true);
    try {
      check("madvise(MADV_DONTFORK)", Libc.madvise(record.address, LENGTH, Libc.MADV_DONTFORK));
      record.write(record.areas().put(payload, 0), payload.length, timestamp);
      long named = record.name();
      if (fd < 0 && named < 0) {
        throw new ProcessContextException(
            "no reader could find the record: memfd_create failed with "
                + Errno.describe((int) -fd)
                + ", and naming an anonymous mapping with "
                + Errno.describe((int) -named));
      }
      return record;
    } catch (ProcessContextException e) {
      record.unmap();
      throw e;
    }
  }

  private static long memfd() {
    int flags = Libc.MFD_CLOEXEC | Libc.MFD_ALLOW_SEALING;
    long fd = Libc.memfdCreate(NAME, flags | Libc.MFD_NOEXEC_SEAL);
    // Kernels before 6.3 do not know MFD_NOEXEC_SEAL.
    return fd >= 0 ? fd : Libc.memfdCreate(NAME, flags);
  }

  private static long map(long fd) {
    int access = Libc.PROT_READ | Libc.PROT_WRITE;
    if (fd < 0) {
      return check("mmap", Libc.mmap(0, LENGTH, access, Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS, -1));
    }
    try {
      check("ftruncate", Libc.ftruncate((int) fd, LENGTH));
      return check("mmap", Libc.mmap(0, LENGTH, access, Libc.MAP_PRIVATE, (int) fd));
    } finally {
      Libc.close((int) fd);
    }
  }

  private static long check(String call, long result) {
    if (result < 0) {
      throw new ProcessContextException(
          call + " for a record of " + LENGTH + " bytes: " + Errno.describe((int) -result));
    }
    return result;
  }

  /** Whether the mapping is as long as one that was made here. */
  boolean hasAreas() {
    return length >= LENGTH;
  }

  /** The payload areas of a mapping that was made here. */
  PayloadAreas areas() {
    return new PayloadAreas(address + AREAS_OFFSET);
  }

  /** Whether a header of our version is there, in memory that can be read. */
  boolean isPublished() {
    byte[] header = read(address, ProcessContextHeader.LENGTH);
    MemorySegment fields = MemorySegment.ofArray(header);
    return header.length == ProcessContextHeader.LENGTH
        && fields.get(JAVA_LONG_UNALIGNED, SIGNATURE_OFFSET) == SIGNATURE
        && fields.get(JAVA_INT_UNALIGNED, VERSION_OFFSET) == VERSION;
  }

  /** When the record was last written; 0 while somebody else is about it. */
  long publishedAt() {
    return Memory.getLongOpaque(address + PUBLISHED_AT_OFFSET);
  }

  long payloadAddress() {
    return Memory.getLong(address + PAYLOAD_ADDRESS_OFFSET);
  }

  /** The payload that the record points to. */
  byte[] payload() throws MalformedContextException {
    int size = Memory.getInt(address + PAYLOAD_SIZE_OFFSET);
    if (size < 0 || size > MAX_FOREIGN_PAYLOAD) {
      throw new MalformedContextException(
          "payload_size "
              + Integer.toUnsignedString(size)
              + " is over the limit of "
              + MAX_FOREIGN_PAYLOAD);
    }
    byte[] payload = read(payloadAddress(), size);
    if (payload.length != size) {
      throw new MalformedContextException(
          "payload pointer 0x%x: %d of %d bytes can be read"
              .formatted(payloadAddress(), payload.length, size));
    }
    return payload;
  }

  /**
   * Reads memory of this process the way that of another is read: where a stranger's pointer leads
   * nowhere, a plain load would end the JVM.
   */
  private static byte[] read(long address, int length) {
    int self = Math.toIntExact(ProcessHandle.current().pid());
    try (ProcessMemory memory = ProcessMemory.of(self);
        Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(length);
      long count = memory.read(address, copy);
      return copy.asSlice(0, Math.max(0, count)).toArray(JAVA_BYTE);
    }
  }

  /**
   * Sends readers to a payload. The order serves readers of the merged text, for whom the timestamp
   * comes last, and of the draft, for whom the signature does: who sees the signature without a
   * timestamp waits. In a record that is published already, version and signature are written as
   * they stand, and the rest is the updating protocol.
   */
  void write(long payload, int size, long timestamp) {
    Memory.putLongOpaque(address + PUBLISHED_AT_OFFSET, 0);
    VarHandle.fullFence();
    Memory.putIntOpaque(address + VERSION_OFFSET, VERSION);
    Memory.putIntOpaque(address + PAYLOAD_SIZE_OFFSET, size);
    Memory.putLongOpaque(address + PAYLOAD_ADDRESS_OFFSET, payload);
    VarHandle.fullFence();
    Memory.putLongOpaque(address + SIGNATURE_OFFSET, SIGNATURE);
    VarHandle.fullFence();
    Memory.putLongOpaque(address + PUBLISHED_AT_OFFSET, timestamp);
    VarHandle.fullFence();
  }

  /**
   * Names the mapping, where the kernel can. Programs in the kernel watch this call, also where it
   * fails, to learn of a new or changed record: so it comes last and every time.
   */
  long name() {
    return Libc.nameMapping(address, length, NAME);
  }

  /** Takes the record back and leaves the mapping, which is another's. */
  void erase() {
    Memory.putLongOpaque(address + PUBLISHED_AT_OFFSET, 0);
    VarHandle.fullFence();
    Memory.putLongOpaque(address + SIGNATURE_OFFSET, 0);
    VarHandle.fullFence();
  }

  /** Takes the record back with its mapping; a reader meanwhile sees the change or no memory. */
  void unmap() {
    Memory.putLongOpaque(address + PUBLISHED_AT_OFFSET, 0);
    VarHandle.fullFence();
    Libc.munmap(address, length);
  }
}
