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
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * The number that the operating system gives the thread that runs now, be it the carrier of a
 * virtual thread.
 */
public final class OsThread {
  /** What fits a control word: Linux never has more, other systems are cut to it. */
  private static final int ID_MASK = 0x3FFFFF;

  private static final boolean IS_LINUX = System.getProperty("os.name", "").equals("Linux");

  private static final Optional<MethodHandle> LINUX =
      find("gettid", FunctionDescriptor.of(JAVA_INT)).or(OsThread::systemCall);
  private static final Optional<MethodHandle> MACOS =
      find("pthread_threadid_np", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));

  private OsThread() {}

  /**
   * The id of the current OS thread. Where the system does not say it is 0 on a virtual thread, and
   * on Linux on every thread: there a number of Java's could be another thread's.
   */
  public static int id() {
    try {
      if (LINUX.isPresent()) {
        return (int) LINUX.get().invokeExact();
      }
      if (MACOS.isPresent()) {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment id = arena.allocate(JAVA_LONG);
          int status = (int) MACOS.get().invokeExact(0L, id);
          return status == 0 ? (int) id.get(JAVA_LONG, 0) & ID_MASK : 0;
        }
      }
    } catch (Throwable t) {
      throw new AssertionError("asking for a thread's id does not throw", t);
    }
    Thread thread = Thread.currentThread();
    return IS_LINUX || thread.isVirtual() ? 0 : (int) thread.threadId() & ID_MASK;
  }

  /** For a libc that is too old for {@code gettid}; as quick, and it allocates nothing either. */
  static Optional<MethodHandle> systemCall() {
    return SystemCall.GETTID.find(List.of());
  }

  @SuppressWarnings("restricted")
  private static Optional<MethodHandle> find(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.defaultLookup().find(name).map(address -> linker.downcallHandle(address, type));
  }
}
