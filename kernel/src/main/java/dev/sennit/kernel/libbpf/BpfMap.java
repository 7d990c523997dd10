/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.libbpf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A map of the kernel's programs, by bytes: who uses it knows what they mean. */
public final class BpfMap {
  private static final int ENOENT = 2;
  private static final int TYPE_ARRAY = 2;
  private static final int MMAPABLE = 1 << 10;
  private static final int OPTIONS_SIZE = 48;
  private static final long OPTIONS_FLAGS = 28;

  private final String name;
  private final int fd;
  private final int keySize;
  private final int valueSize;

  BpfMap(String name, int fd, int keySize, int valueSize) {
    this.name = name;
    this.fd = fd;
    this.keySize = keySize;
    this.valueSize = valueSize;
  }

  /**
   * Makes an array that programs write, and that whoever has its descriptor can map for reading and
   * for nothing else. Who makes it closes the descriptor.
   *
   * @throws BpfException when the kernel refuses
   */
  public static BpfMap mappableArray(String name, int valueSize, int entries) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment options = arena.allocate(OPTIONS_SIZE, 8);
      options.set(JAVA_LONG, 0, OPTIONS_SIZE);
      options.set(JAVA_INT, OPTIONS_FLAGS, MMAPABLE);
      int fd =
          Libbpf.createMap(
              TYPE_ARRAY, arena.allocateFrom(name), Integer.BYTES, valueSize, entries, options);
      if (fd < 0) {
        throw new BpfException("the map " + name + " cannot be made", -fd);
      }
      int frozen = Libbpf.freezeMap(fd);
      if (frozen < 0) {
        Libc.close(fd);
        throw new BpfException("the map " + name + " cannot be kept from others", -frozen);
      }
      return new BpfMap(name, fd, Integer.BYTES, valueSize);
    }
  }

  public int fd() {
    return fd;
  }

  public int valueSize() {
    return valueSize;
  }

  /** Puts a value, whether or not there was one. */
  public void put(byte[] key, byte[] value) {
    try (Arena arena = Arena.ofConfined()) {
      int result = Libbpf.update(fd, copy(arena, key), copy(arena, value), 0);
      if (result < 0) {
        throw new BpfException("the map " + name + " takes no entry", -result);
      }
    }
  }

  /** The value of a key; of a map with a value per processor, one after the other. */
  public Optional<byte[]> get(byte[] key, int processors) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate((long) valueSize * processors, 8);
      int result = Libbpf.lookup(fd, copy(arena, key), value);
      if (result == -ENOENT) {
        return Optional.empty();
      }
      if (result < 0) {
        throw new BpfException("the map " + name + " cannot be read", -result);
      }
      return Optional.of(value.toArray(JAVA_BYTE));
    }
  }

  public Optional<byte[]> get(byte[] key) {
    return get(key, 1);
  }

  /** Answers false when there was no such key. */
  public boolean remove(byte[] key) {
    try (Arena arena = Arena.ofConfined()) {
      int result = Libbpf.delete(fd, copy(arena, key));
      if (result < 0 && result != -ENOENT) {
        throw new BpfException("an entry of the map " + name + " cannot be removed", -result);
      }
      return result == 0;
    }
  }

  /** The keys, at most so many; some may come twice, or be missed, while others write. */
  public List<byte[]> keys(int most) {
    List<byte[]> keys = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment next = arena.allocate(keySize, 8);
      MemorySegment key = MemorySegment.NULL;
      while (keys.size() < most && Libbpf.nextKey(fd, key, next) == 0) {
        byte[] copy = next.toArray(JAVA_BYTE);
        keys.add(copy);
        key = copy(arena, copy);
      }
    }
    return keys;
  }

  private static MemorySegment copy(Arena arena, byte[] bytes) {
    MemorySegment copy = arena.allocate(bytes.length, 8);
    MemorySegment.copy(bytes, 0, copy, JAVA_BYTE, 0, bytes.length);
    return copy;
  }
}
