/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import dev.sennit.context.memory.OsThread;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An application whose virtual threads each serve a request, blocking now and then in every way
 * there is. It has a copy of the context classes of its own. Arguments: how many threads, how often
 * each blocks, how many rounds, and where the log of mounts goes.
 *
 * <p>It prints how often a thread found another context than its own after it had blocked, and how
 * often none.
 */
final class MountedRequests {
  /** Bits of the span id that number the thread. */
  static final int THREAD_SHIFT = 16;

  private final int blocks;
  private final boolean logging;
  private final Object monitor = new Object();
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger other = new AtomicInteger();
  private final AtomicInteger none = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();

  private MountedRequests(int blocks, boolean logging) {
    this.blocks = blocks;
    this.logging = logging;
  }

  public static void main(String[] arguments) throws Exception {
    int threads = Integer.parseInt(arguments[0]);
    MountedRequests requests =
        new MountedRequests(Integer.parseInt(arguments[1]), arguments.length > 3);
    System.out.println("mode " + ContextApi.getMode().optionValue());
    requests.awaitHooks();
    System.out.println("ready");
    int rounds = Integer.parseInt(arguments[2]);
    List<List<String>> log = new ArrayList<>();
    if (requests.logging) {
      System.in.read();
    }
    for (int round = 0; round < rounds; round++) {
      requests.serve(threads, log);
    }
    if (requests.logging) {
      requests.write(Path.of(arguments[3]), log);
      System.out.println("served");
      System.in.read();
    }
    System.out.println("other " + requests.other);
    System.out.println("none " + requests.none);
    System.out.println("failed " + requests.failed);
  }

  /** The first context of a virtual thread brings the hooks; until they are there, none is seen. */
  @SuppressWarnings("ThreadPriorityCheck")
  private void awaitHooks() throws InterruptedException {
    Thread.startVirtualThread(
            () -> {
              do {
                ContextApi.setOtel(1, 1, 1, 1);
                Thread.yield();
              } while (!ContextApi.get(new ContextSnapshot()));
              ContextApi.clear();
            })
        .join();
  }

  private void serve(int threads, List<List<String>> log) throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    for (int i = 1; i <= threads; i++) {
      long number = i;
      List<String> stints = new ArrayList<>();
      log.add(stints);
      all.add(
          Thread.ofVirtual()
              .uncaughtExceptionHandler((thread, problem) -> failed.incrementAndGet())
              .start(() -> request(number, stints)));
    }
    for (Thread thread : all) {
      thread.join();
    }
  }

  private void request(long number, List<String> stints) {
    ContextSnapshot seen = new ContextSnapshot();
    for (int i = 0; i < blocks; i++) {
      long span = number << THREAD_SHIFT | (i + 1);
      ContextApi.set(number, -number, span, -number, 1);
      if (logging) {
        long begin = System.nanoTime();
        int tid = OsThread.id();
        long until = begin + 100_000;
        while (System.nanoTime() < until) {
          Thread.onSpinWait();
        }
        stints.add(span + " " + tid + " " + begin + " " + System.nanoTime());
        blockOnce(i);
        long now = System.nanoTime();
        stints.add(span + " " + OsThread.id() + " " + now + " " + now);
      } else {
        block(i);
      }
      if (!ContextApi.get(seen)) {
        none.incrementAndGet();
      } else if (seen.traceIdHigh() != number || seen.spanId() != span) {
        other.incrementAndGet();
      }
    }
    ContextApi.clear();
  }

  @SuppressWarnings("ThreadPriorityCheck") // a yield unmounts
  private void block(int time) {
    switch (time % 4) {
      case 0 -> Thread.yield();
      case 1 -> {
        synchronized (monitor) {
          Thread.yield();
        }
      }
      case 2 -> {
        lock.lock();
        try {
          LockSupport.parkNanos(1_000);
        } finally {
          lock.unlock();
        }
      }
      default -> LockSupport.parkNanos(500_000);
    }
  }

  /** Mounted again it runs on at once: no mount goes unnoticed. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void blockOnce(int time) {
    if (time % 2 == 0) {
      Thread.yield();
    } else {
      LockSupport.parkNanos(500_000);
    }
  }

  private void write(Path file, List<List<String>> log) throws IOException {
    try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(file))) {
      log.forEach(stints -> stints.forEach(writer::println));
    }
  }
}
