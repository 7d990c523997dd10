/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of libc that publishing and reading contexts needs, in the kernel's own convention: a
 * result that is not negative, or the negative error number. They are Linux's; where a symbol is
 * missing, and the kernel's call behind it is not known, the call answers {@code -ENOSYS}, so that
 * a caller has one kind of failure to deal with.
 */
public final class Libc {
  public static final int PROT_READ = 0x1;
  public static final int PROT_WRITE = 0x2;
  public static final int MAP_SHARED = 0x01;
  public static final int MAP_PRIVATE = 0x02;
  public static final int MADV_DONTNEED = 4;
  public static final int MADV_DONTFORK = 10;
  public static final int MFD_CLOEXEC = 0x1;
  public static final int MFD_ALLOW_SEALING = 0x2;
  public static final int MFD_NOEXEC_SEAL = 0x8;
  public static final int CLOCK_MONOTONIC = 1;
  public static final int CLOCK_BOOTTIME = 7;

  /** {@code MAP_ANONYMOUS}, the one number of these that differs on macOS. */
  public static final int MAP_ANONYMOUS =
      System.getProperty("os.name", "").startsWith("Mac") ? 0x1000 : 0x20;

  private static final int O_DIRECTORY =
      System.getProperty("os.arch", "").equals("aarch64") ? 0x4000 : 0x10000;
  private static final int O_CLOEXEC = 0x80000;
  private static final int PR_SET_VMA = 0x53564d41;
  private static final int PR_SET_VMA_ANON_NAME = 0;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final @Nullable MethodHandle MMAP =
      find("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final @Nullable MethodHandle MUNMAP =
      find("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final @Nullable MethodHandle MADVISE =
      find("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final @Nullable MethodHandle MEMFD_CREATE_FUNCTION =
      find("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
  private static final @Nullable MethodHandle MEMFD_CREATE =
      MEMFD_CREATE_FUNCTION != null ? MEMFD_CREATE_FUNCTION : memfdCreateCall();
  private static final @Nullable MethodHandle FTRUNCATE =
      find("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
  private static final @Nullable MethodHandle CLOSE = find("close", JAVA_INT, JAVA_INT);
  private static final @Nullable MethodHandle KILL = find("kill", JAVA_INT, JAVA_INT, JAVA_INT);
  private static final @Nullable MethodHandle READ =
      find("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
  private static final @Nullable MethodHandle WRITE_AT_ONCE =
      bind(
          "write",
          JAVA_LONG,
          new ValueLayout[] {JAVA_INT, ADDRESS, JAVA_LONG},
          Linker.Option.critical(true));
  private static final @Nullable MethodHandle OPEN =
      findVariadic("open", JAVA_INT, 2, ADDRESS, JAVA_INT, JAVA_INT);
  private static final @Nullable MethodHandle MOUNT =
      find("mount", JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
  private static final @Nullable MethodHandle CLOCK_GETTIME =
      find("clock_gettime", JAVA_INT, JAVA_INT, ADDRESS);
  private static final @Nullable MethodHandle PROCESS_VM_READV =
      find(
          "process_vm_readv",
          JAVA_LONG,
          JAVA_INT,
          ADDRESS,
          JAVA_LONG,
          ADDRESS,
          JAVA_LONG,
          JAVA_LONG);
  private static final @Nullable MethodHandle WAITPID =
      find("waitpid", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
  private static final @Nullable MethodHandle PRCTL =
      findVariadic("prctl", JAVA_INT, 1, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS);
  private static final @Nullable MethodHandle PTRACE =
      findVariadic("ptrace", JAVA_LONG, 1, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);

  private Libc() {}

  /** Maps memory; the result is its address. */
  public static long mmap(long address, long length, int protection, int flags, int fd) {
    return mmap(address, length, protection, flags, fd, 0);
  }

  /** Maps a part of a file; the result is its address. */
  public static long mmap(
      long address, long length, int protection, int flags, int fd, long offset) {
    return call(
        MMAP,
        (handle, state) ->
            (long) handle.invokeExact(state, address, length, protection, flags, fd, offset));
  }

  public static long munmap(long address, long length) {
    return call(MUNMAP, (handle, state) -> (int) handle.invokeExact(state, address, length));
  }

  public static long madvise(long address, long length, int advice) {
    return call(
        MADVISE, (handle, state) -> (int) handle.invokeExact(state, address, length, advice));
  }

  /** Creates an unlinked file in memory; the result is its descriptor. */
  public static long memfdCreate(String name, int flags) {
    return memfdCreate(MEMFD_CREATE, name, flags);
  }

  static long memfdCreate(@Nullable MethodHandle function, String name, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      return call(function, (handle, state) -> (int) handle.invokeExact(state, text, flags));
    }
  }

  /** For a libc that is too old for {@code memfd_create}. */
  static @Nullable MethodHandle memfdCreateCall() {
    return SystemCall.MEMFD_CREATE
        .find(List.of(ADDRESS, JAVA_INT), Linker.Option.captureCallState("errno"))
        .orElse(null);
  }

  public static long ftruncate(int fd, long length) {
    return call(FTRUNCATE, (handle, state) -> (int) handle.invokeExact(state, fd, length));
  }

  public static long close(int fd) {
    return call(CLOSE, (handle, state) -> (int) handle.invokeExact(state, fd));
  }

  /**
   * A write that takes no time, from memory of the heap, during which the JVM does not stop for
   * anything: not for what may block. What comes of it is not told.
   */
  public static void writeAtOnce(int fd, MemorySegment bytes, long size) {
    MethodHandle handle = WRITE_AT_ONCE;
    if (handle == null) {
      return;
    }
    try {
      long _ = (long) handle.invokeExact(fd, bytes, size);
    } catch (Throwable e) {
      throw new AssertionError("a call of libc does not throw", e);
    }
  }

  /** Sends a signal to a process. */
  public static long kill(int pid, int signal) {
    return call(KILL, (handle, state) -> (int) handle.invokeExact(state, pid, signal));
  }

  /** Opens a folder, to be named to the kernel; the result is its descriptor. */
  public static long openFolder(String path) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(path);
      return call(
          OPEN,
          (handle, state) -> (int) handle.invokeExact(state, text, O_DIRECTORY | O_CLOEXEC, 0));
    }
  }

  /** Reads from a descriptor; the result is how many bytes came, 0 at the end. */
  public static long read(int fd, MemorySegment into) {
    return call(
        READ, (handle, state) -> (long) handle.invokeExact(state, fd, into, into.byteSize()));
  }

  /** Mounts a file system that has no device. */
  public static long mount(String type, String folder) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(type);
      MemorySegment target = arena.allocateFrom(folder);
      return call(
          MOUNT,
          (handle, state) ->
              (int) handle.invokeExact(state, name, target, name, 0L, MemorySegment.NULL));
    }
  }

  /**
   * Names a mapping in {@code /proc/PID/maps}; kernels without CONFIG_ANON_VMA_NAME answer EINVAL.
   */
  public static long nameMapping(long address, long length, String name) {
    try (Arena arena = Arena.ofConfined()) {
      return nameMapping(address, length, arena.allocateFrom(name));
    }
  }

  /** Takes the name of a mapping away. */
  public static long unnameMapping(long address, long length) {
    return nameMapping(address, length, MemorySegment.NULL);
  }

  private static long nameMapping(long address, long length, MemorySegment name) {
    return call(
        PRCTL,
        (handle, state) ->
            (int)
                handle.invokeExact(
                    state, PR_SET_VMA, (long) PR_SET_VMA_ANON_NAME, address, length, name));
  }

  /** Reads a clock; the result is its nanoseconds. */
  public static long clockNanos(int clock) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment timespec = arena.allocate(16, 8);
      long result =
          call(CLOCK_GETTIME, (handle, state) -> (int) handle.invokeExact(state, clock, timespec));
      return result < 0
          ? result
          : timespec.get(JAVA_LONG, 0) * 1_000_000_000L + timespec.get(JAVA_LONG, 8);
    }
  }

  /**
   * Copies memory of another process; both vectors are arrays of {@code struct iovec}. The result
   * is the number of bytes copied, which is short when a later vector could not be read.
   *
   * @param state memory of at least {@link #callStateSize()} bytes that no other thread uses, so
   *     that a caller in a loop need not allocate
   */
  static long processVmReadv(
      int pid,
      MemorySegment local,
      long localCount,
      MemorySegment remote,
      long remoteCount,
      MemorySegment state) {
    MethodHandle handle = PROCESS_VM_READV;
    if (handle == null) {
      return -Errno.ENOSYS;
    }
    try {
      long result =
          (long) handle.invokeExact(state, pid, local, localCount, remote, remoteCount, 0L);
      return result >= 0 ? result : -(int) ERRNO.get(state, 0L);
    } catch (Throwable t) {
      throw new AssertionError("process_vm_readv", t);
    }
  }

  static long callStateSize() {
    return CALL_STATE.byteSize();
  }

  /** Waits for a state change of a traced thread; {@code status} receives an int. */
  public static long waitpid(int tid, MemorySegment status, int options) {
    return call(WAITPID, (handle, state) -> (int) handle.invokeExact(state, tid, status, options));
  }

  /**
   * {@code ptrace} for requests that answer 0 or an error; not for PEEK, whose result may be any
   * number.
   */
  public static long ptrace(int request, int tid, long address, long data) {
    return call(
        PTRACE, (handle, state) -> (long) handle.invokeExact(state, request, tid, address, data));
  }

  @FunctionalInterface
  interface Invocation {
    long on(MethodHandle handle, MemorySegment state) throws Throwable;
  }

  static long call(@Nullable MethodHandle handle, Invocation invocation) {
    if (handle == null) {
      return -Errno.ENOSYS;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      long result = invocation.on(handle, state);
      return result == -1 ? -(int) ERRNO.get(state, 0L) : result;
    } catch (Throwable t) {
      throw new AssertionError("a libc call does not throw", t);
    }
  }

  static @Nullable MethodHandle find(String name, ValueLayout result, ValueLayout... parameters) {
    return bind(name, result, parameters, Linker.Option.captureCallState("errno"));
  }

  private static @Nullable MethodHandle findVariadic(
      String name, ValueLayout result, int firstVariadic, ValueLayout... parameters) {
    return bind(
        name,
        result,
        parameters,
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(firstVariadic));
  }

  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle bind(
      String name, ValueLayout result, ValueLayout[] parameters, Linker.Option... options) {
    return LINKER
        .defaultLookup()
        .find(name)
        .map(
            address ->
                LINKER.downcallHandle(address, FunctionDescriptor.of(result, parameters), options))
        .orElse(null);
  }
}
