/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.memory.Errno;
import dev.sennit.context.memory.Proc;
import dev.sennit.context.thread.OtepRecordDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the threads of a process, stopping one after the other. It is made by a platform
 * thread of its own, for the kernel wants the same thread for all calls and the caller may be
 * virtual; if a thread of the process does not stop in time, that platform thread ends, whereupon
 * the kernel lets the thread go, and another continues.
 */
final class OtepPass {
  /** Threads that are not reached by then are unsettled. */
  private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

  private final int pid;
  private final int[] tids;
  private final MemoryCopy copy;
  private final Set<TlsLocation> locations;
  private final List<String> keys;
  private final ThreadDirectory directory;

  private final int ownPid = Math.toIntExact(ProcessHandle.current().pid());
  private final long deadline = System.nanoTime() + PATIENCE;
  private final List<ThreadRecord> threads = new ArrayList<>();
  private byte[] record = {};
  private int next;
  private int unsettled;
  private @Nullable ThreadReading refusal;

  OtepPass(
      int pid,
      int[] tids,
      MemoryCopy copy,
      Set<TlsLocation> locations,
      List<String> keys,
      ThreadDirectory directory) {
    this.pid = pid;
    this.tids = tids;
    this.copy = copy;
    this.locations = locations;
    this.keys = keys;
    this.directory = directory;
  }

  ThreadReading run() {
    if (tids.length > 0 && tids[0] == pid && isOwnChild()) {
      // Its main thread's stop would be reported to whoever waits for the child in this JVM, and
      // java.lang.Process would take it for the child's end.
      next = 1;
      unsettled = 1;
    }
    while (next < tids.length && refusal == null) {
      onPlatformThread(this::stopThreads);
    }
    ThreadReading refused = refusal;
    return refused != null ? refused : new ThreadReading.Threads(threads, unsettled);
  }

  private boolean isOwnChild() {
    return Proc.statusField(pid, pid, "PPid").equals(Integer.toString(ownPid));
  }

  private void stopThreads() {
    try (ThreadStopper stopper = new ThreadStopper()) {
      while (next < tids.length) {
        if (System.nanoTime() - deadline > 0) {
          unsettled += tids.length - next;
          next = tids.length;
          return;
        }
        int tid = tids[next++];
        record = new byte[0];
        switch (stopper.whileStopped(tid, this::copyRecord)) {
          case DONE -> decode(tid);
          case GONE -> {}
          case DENIED -> {
            if (!isExcused(tid)) {
              return;
            }
          }
          case STALLED -> {
            unsettled++;
            return;
          }
        }
      }
    }
  }

  private void copyRecord(long threadPointer) {
    for (TlsLocation location : locations) {
      long variable = location.address(copy, threadPointer);
      long pointer = variable == 0 ? 0 : copy.word(variable, 0);
      int length = pointer == 0 ? 0 : copy.loadSome(pointer, OtepRecordDescriptor.MAX_LENGTH);
      if (length >= OtepRecordDescriptor.ATTRIBUTES_OFFSET
          && copy.getByte(OtepRecordDescriptor.VALID_OFFSET) == OtepRecord.VALID) {
        record = copy.toArray(length);
        return;
      }
    }
  }

  private void decode(int tid) {
    if (record.length == 0) {
      return;
    }
    ThreadDirectory.@Nullable Known thread = directory.find(tid);
    @Nullable ThreadRecord decoded =
        thread == null ? null : OtepRecord.decode(record, keys, thread);
    if (decoded != null) {
      threads.add(decoded);
    }
  }

  /** Whether the kernel's refusal concerns this thread alone; otherwise it ends the pass. */
  private boolean isExcused(int tid) {
    String state = Proc.statusField(pid, tid, "State");
    if (state.isEmpty() || state.startsWith("Z") || state.startsWith("X")) {
      return true;
    }
    int tracer = number(Proc.statusField(pid, tid, "TracerPid"));
    if (tracer != 0 && !Proc.statusField(ownPid, tracer, "Pid").isEmpty()) {
      // Another reader in this JVM, or a thread of ours that is about to end.
      unsettled++;
      return true;
    }
    refusal =
        new ThreadReading.Unavailable(
            tracer != 0
                ? "process %d is traced by process %d (%s), and a thread has one tracer at most"
                    .formatted(pid, tracer, Proc.threadName(tracer, tracer))
                : ("the threads of process %d cannot be stopped: %s; run as its user or as root,"
                        + " and see the setting kernel.yama.ptrace_scope")
                    .formatted(pid, Errno.describe(Errno.EPERM)));
    return false;
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static void onPlatformThread(Runnable task) {
    FutureTask<@Nullable Void> future = new FutureTask<>(task, null);
    Thread thread = Thread.ofPlatform().daemon().name("sennit thread reader").start(future);
    boolean interrupted = false;
    while (true) {
      try {
        future.get();
        thread.join();
        break;
      } catch (InterruptedException e) {
        // It takes no longer than its patience, and it uses what the caller may close.
        interrupted = true;
      } catch (ExecutionException e) {
        throw new IllegalStateException("reading the threads of a process", e.getCause());
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
