/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Stops single threads of another process by {@code ptrace(2)} and lets them go on as if nothing
 * had been: a signal that was on its way is delivered, a group stop stays one, and most system
 * calls are restarted (signal(7) lists those that answer EINTR after any stop, such as epoll_wait).
 *
 * <p>The kernel knows a tracer by its thread, so one platform thread makes all calls of an
 * instance. If it ends, the kernel lets go whatever it still traces.
 */
final class ThreadStopper implements AutoCloseable {
  /** What came of stopping a thread. */
  enum Outcome {
    /** It was stopped and goes on again. */
    DONE,
    /** It has ended. */
    GONE,
    /** The kernel does not allow it. */
    DENIED,
    /**
     * It did not stop in time and will do so at an unknown moment: the calling thread must end now.
     */
    STALLED
  }

  private static final int PTRACE_DETACH = 17;
  private static final int PTRACE_GETREGSET = 0x4204;
  private static final int PTRACE_SEIZE = 0x4206;
  private static final int PTRACE_INTERRUPT = 0x4207;
  private static final int PTRACE_EVENT_STOP = 128;
  private static final int WNOHANG = 1;
  private static final int WALL = 0x40000000;

  /** Register set of x86-64 with {@code struct user_regs_struct}, 27 words, fs_base the 22nd. */
  private static final int NT_PRSTATUS = 1;

  private static final int X86_64_REGISTERS_LENGTH = 27 * Long.BYTES;
  private static final int X86_64_FS_BASE_OFFSET = 21 * Long.BYTES;

  /** Register set of aarch64 that begins with TPIDR_EL0. */
  private static final int NT_ARM_TLS = 0x401;

  /** A thread needs some 50 µs to stop, and longer where it must first get a processor. */
  private static final long PATIENCE = Duration.ofMillis(200).toNanos();

  private static final int POLLS_WITHOUT_PAUSE = 20;
  private static final long FIRST_PAUSE = Duration.ofNanos(20_000).toNanos();
  private static final long LONGEST_PAUSE = Duration.ofMillis(1).toNanos();

  private final boolean x86 = !System.getProperty("os.arch", "").equals("aarch64");
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment status = arena.allocate(JAVA_INT);
  private final MemorySegment registers = arena.allocate(X86_64_REGISTERS_LENGTH, Long.BYTES);
  private final MemorySegment vector = arena.allocate(ADDRESS.byteSize() + Long.BYTES, 8);

  /** Stops thread {@code tid} and hands its thread pointer to {@code action} meanwhile. */
  Outcome whileStopped(int tid, LongConsumer action) {
    long seized = Libc.ptrace(PTRACE_SEIZE, tid, 0, 0);
    if (seized < 0) {
      return seized == -Errno.ESRCH ? Outcome.GONE : Outcome.DENIED;
    }
    // A failure means that the thread is ending, which waiting for it will tell.
    Libc.ptrace(PTRACE_INTERRUPT, tid, 0, 0);
    Outcome outcome = await(tid);
    if (outcome != Outcome.DONE) {
      return outcome;
    }
    long signal = signalOnItsWay(status.get(JAVA_INT, 0));
    try {
      long threadPointer = threadPointer(tid);
      if (threadPointer != 0) {
        action.accept(threadPointer);
      }
    } finally {
      Libc.ptrace(PTRACE_DETACH, tid, 0, signal);
    }
    return Outcome.DONE;
  }

  private Outcome await(int tid) {
    long deadline = System.nanoTime() + PATIENCE;
    long pause = FIRST_PAUSE;
    for (int polls = 0; ; polls++) {
      long result = Libc.waitpid(tid, status, WNOHANG | WALL);
      if (result < 0) {
        return Outcome.GONE;
      }
      if (result == tid) {
        return isStopped(status.get(JAVA_INT, 0)) ? Outcome.DONE : Outcome.GONE;
      }
      if (System.nanoTime() - deadline > 0) {
        return Outcome.STALLED;
      }
      if (polls < POLLS_WITHOUT_PAUSE) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      }
    }
  }

  /** {@code WIFSTOPPED}. */
  private static boolean isStopped(int status) {
    return (status & 0xFF) == 0x7F;
  }

  /**
   * The signal whose delivery is what stopped the thread, to be given back to it; 0 for the stop
   * that was asked for and for a group stop, which ptrace(2) both reports as PTRACE_EVENT_STOP.
   */
  private static long signalOnItsWay(int status) {
    return status >>> 16 == PTRACE_EVENT_STOP ? 0 : (status >>> 8) & 0xFF;
  }

  private long threadPointer(int tid) {
    registers.fill((byte) 0);
    vector.set(JAVA_LONG, 0, registers.address());
    vector.set(JAVA_LONG, Long.BYTES, x86 ? X86_64_REGISTERS_LENGTH : Long.BYTES);
    long result =
        Libc.ptrace(PTRACE_GETREGSET, tid, x86 ? NT_PRSTATUS : NT_ARM_TLS, vector.address());
    return result < 0 ? 0 : registers.get(JAVA_LONG, x86 ? X86_64_FS_BASE_OFFSET : 0);
  }

  @Override
  public void close() {
    arena.close();
  }
}
