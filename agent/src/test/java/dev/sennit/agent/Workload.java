/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Work of a known shape inside spans, in a JVM of its own. A method whose name begins with {@code
 * in} is work that belongs to one span; none of them may be inlined, or the compiler moves work out
 * of them.
 */
final class Workload {
  static final int THREADS = 8;
  private static final int UNIT = 150_000;
  private static final int ROUNDS = 200;

  private static volatile long sink;

  private Workload() {}

  /** Trace and span of a thread's work, as a profile's link has them. */
  static String link(int thread, int span) {
    return String.format("%016x%016x-%016x", 1, thread, thread * 16L + span);
  }

  public static void main(String[] arguments) throws Exception {
    JavaProfiler profiler = JavaProfiler.getInstance();
    if (!arguments[1].isEmpty()) {
      System.out.println(profiler.execute(arguments[1]));
    }
    switch (arguments[0]) {
      case "proportions" -> acrossThreads(THREADS, Workload::proportions);
      case "blocking" -> acrossThreads(4, Workload::blocking);
      case "waiting" -> acrossThreads(1, thread -> waiting(thread, Path.of(arguments[2])));
      case "nested" -> acrossThreads(2, Workload::nested);
      case "allocating" -> acrossThreads(2, Workload::allocating);
      case "pool" -> pool();
      case "open" -> open(profiler, arguments[2]);
      case "virtual" -> virtual();
      case "ending" -> {
        acrossThreads(2, Workload::nested);
        return;
      }
      case "unobserved" -> {
        ContextApi.initialize("ctxstorage=otel");
        ContextApi.setOtel(1, 2, 3);
        System.out.println("observed: " + ContextApi.isObserved());
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    if (!arguments[1].isEmpty()) {
      System.out.println(profiler.execute("status"));
      System.out.println(profiler.execute("stop"));
    }
    System.out.println("done " + (sink == 42 ? "" : "well"));
  }

  /** The work of one thread. */
  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void acrossThreads(int count, Work work) throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .name("work-" + number)
              .start(
                  () -> {
                    try {
                      work.run(number);
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void span(int thread, int span) {
    ContextApi.setOtel(1, thread, thread * 16L + span, 1);
  }

  private static void proportions(int thread) {
    for (int i = 0; i < ROUNDS; i++) {
      span(thread, 1);
      inFirst(UNIT);
      span(thread, 2);
      inSecond(2 * UNIT);
      ContextApi.clear();
      inNone(UNIT);
      span(thread, 3);
      inThird(5 * UNIT);
    }
    ContextApi.clear();
  }

  private static void blocking(int thread) throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      span(thread, 1);
      inSleep();
      span(thread, 2);
      inSecond(60 * UNIT);
    }
    ContextApi.clear();
  }

  /** Changes its context and does nothing else but to wait; writes when it was in which span. */
  private static void waiting(int thread, Path file) throws IOException {
    List<String> periods = new ArrayList<>(3 * ROUNDS);
    for (int i = 0; i < ROUNDS / 2; i++) {
      long first = epochNanos();
      span(thread, 1);
      inWait();
      ContextApi.clear();
      long none = epochNanos();
      inWait();
      long second = epochNanos();
      span(thread, 2);
      inWait();
      ContextApi.clear();
      periods.add(first + " " + none + " " + link(thread, 1));
      periods.add(second + " " + epochNanos() + " " + link(thread, 2));
    }
    Files.write(file, periods);
  }

  private static long epochNanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  private static void nested(int thread) {
    for (int i = 0; i < ROUNDS; i++) {
      span(thread, 1);
      inFirst(2 * UNIT);
      span(thread, 2);
      inSecond(2 * UNIT);
      span(thread, 1);
      inFirst(2 * UNIT);
      ContextApi.clear();
    }
  }

  private static void allocating(int thread) {
    for (int i = 0; i < ROUNDS; i++) {
      span(thread, 1);
      inFirstAllocation();
      span(thread, 2);
      inSecondAllocation();
    }
    ContextApi.clear();
  }

  private static void pool() throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int i = 0; i < 4 * ROUNDS; i++) {
        int request = i % 4 + 1;
        tasks.add(
            executor.submit(
                () -> {
                  span(request, 1);
                  switch (request) {
                    case 1 -> inFirst(UNIT);
                    case 2 -> inSecond(UNIT);
                    case 3 -> inThird(UNIT);
                    default -> inFourth(UNIT);
                  }
                  ContextApi.clear();
                }));
      }
      for (Future<?> task : tasks) {
        task.get();
      }
    }
  }

  private static void open(JavaProfiler profiler, String file) throws Exception {
    CountDownLatch enough = new CountDownLatch(10 * ROUNDS);
    Thread worker =
        Thread.ofPlatform()
            .daemon()
            .name("work-1")
            .start(
                () -> {
                  span(1, 1);
                  while (!Thread.interrupted()) {
                    inFirst(UNIT);
                    enough.countDown();
                  }
                });
    enough.await();
    System.out.println(profiler.execute("dump,file=" + file));
    worker.interrupt();
    worker.join();
  }

  /** Without hooks nobody knows when a virtual thread leaves its carrier. */
  private static void virtual() throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 1; i <= 20; i++) {
        int request = i;
        Future<?> _ =
            executor.submit(
                () -> {
                  span(request, 1);
                  inFirst(20 * UNIT);
                  Thread.sleep(1);
                  inFirst(20 * UNIT);
                  return null;
                });
      }
    }
  }

  private static void inFirst(int amount) {
    spin(amount);
  }

  private static void inSecond(int amount) {
    spin(amount);
  }

  private static void inThird(int amount) {
    spin(amount);
  }

  private static void inFourth(int amount) {
    spin(amount);
  }

  private static void inNone(int amount) {
    spin(amount);
  }

  private static void inSleep() throws InterruptedException {
    Thread.sleep(300);
  }

  private static void inWait() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(25));
  }

  private static void inFirstAllocation() {
    allocate();
  }

  private static void inSecondAllocation() {
    allocate();
  }

  private static void allocate() {
    long length = 0;
    for (int i = 0; i < 200; i++) {
      length += new byte[1000 + i].length;
    }
    sink = length;
  }

  private static void spin(int amount) {
    long state = sink | 1;
    for (int i = 0; i < amount; i++) {
      state = state * 6364136223846793005L + i;
    }
    sink = state;
  }
}
