/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.Memory;

/**
 * Two areas for payloads, side by side: a new payload goes into the one that readers are not sent
 * to, so that an update neither allocates nor frees.
 *
 * @param address of the first
 */
record PayloadAreas(long address) {
  /** What one payload may take; the strictest readers take no more. */
  static final int CAPACITY = 64 * 1024;

  static final int LENGTH = 2 * CAPACITY;

  /** Maps areas that stay for the life of the process. */
  static PayloadAreas allocate() {
    long address =
        Libc.mmap(
            0, LENGTH, Libc.PROT_READ | Libc.PROT_WRITE, Libc.MAP_PRIVATE | Libc.MAP_ANONYMOUS, -1);
    if (address < 0) {
      throw new ProcessContextException(
          "no memory for payloads: mmap of "
              + LENGTH
              + " bytes: "
              + Errno.describe((int) -address));
    }
    return new PayloadAreas(address);
  }

  boolean contains(long payload) {
    return payload == address || payload == address + CAPACITY;
  }

  /**
   * Copies a payload into the area that is free.
   *
   * @param current where the payload is that readers may be reading
   * @return where the new one is
   */
  long put(byte[] payload, long current) {
    long free = current == address ? address + CAPACITY : address;
    Memory.putBytes(free, payload);
    return free;
  }
}
