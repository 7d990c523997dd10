/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An application whose tasks meet every end: done, failed, rejected, cancelled, interrupted,
 * drained from a pool that is shut down, forgotten.
 */
final class HandedChurn {
  private static final AtomicInteger WRONG = new AtomicInteger();
  private static final AtomicInteger DONE = new AtomicInteger();
  private static final AtomicInteger REJECTED = new AtomicInteger();

  private HandedChurn() {}

  public static void main(String[] arguments) throws Exception {
    // What tasks throw is no news.
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
    int tasks = Integer.parseInt(arguments[0]);
    churn(tasks / 10);
    long early = usedAfterCollection();
    churn(tasks - tasks / 10);
    long late = usedAfterCollection();
    WeakReference<ClassLoader> loader = handOverFromAnotherLoader();
    System.out.println("done " + DONE.get());
    System.out.println("rejected " + REJECTED.get());
    System.out.println("wrong " + WRONG.get());
    System.out.println("grown " + Math.max(0, late - early));
    System.out.println("loader " + (isCollected(loader) ? "gone" : "kept"));
    System.exit(0);
  }

  private static void churn(int tasks) throws InterruptedException {
    ThreadPoolExecutor small =
        new ThreadPoolExecutor(2, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(2));
    ScheduledThreadPoolExecutor later = new ScheduledThreadPoolExecutor(1);
    for (int i = 1; i <= tasks; i++) {
      ContextApi.setOtel(1, i, i, 1);
      hand(small, later, i);
      if (i % 5_000 == 0) {
        small.shutdownNow();
        later.shutdownNow();
        small = new ThreadPoolExecutor(2, 2, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(2));
        later = new ScheduledThreadPoolExecutor(1);
      }
    }
    ContextApi.clear();
    small.shutdown();
    later.shutdownNow();
    small.awaitTermination(1, TimeUnit.MINUTES);
  }

  private static void hand(
      ThreadPoolExecutor small, ScheduledThreadPoolExecutor later, int number) {
    try {
      switch (number % 8) {
        case 0 -> small.execute(() -> check(number));
        case 1 ->
            small.execute(
                () -> {
                  check(number);
                  throw new Expected();
                });
        case 2 -> small.submit(() -> check(number)).cancel(true);
        case 3 -> small.remove(handed(small, () -> check(number)));
        case 4 -> later.schedule(() -> check(number), 1, TimeUnit.HOURS).cancel(false);
        case 5 -> join(small.submit(() -> Thread.currentThread().interrupt()));
        case 6 -> Thread.startVirtualThread(() -> check(number));
        default ->
            ForkJoinPool.commonPool()
                .submit(
                    new RecursiveAction() {
                      @Override
                      protected void compute() {
                        check(number);
                      }
                    })
                .cancel(number % 16 == 7);
      }
    } catch (RejectedExecutionException e) {
      REJECTED.incrementAndGet();
    }
    if (ContextApi.spanId() != number) {
      WRONG.incrementAndGet();
    }
  }

  private static Runnable handed(ThreadPoolExecutor pool, Runnable task) {
    pool.execute(task);
    return task;
  }

  private static void join(Future<?> future) {
    try {
      future.get();
    } catch (InterruptedException | ExecutionException | CancellationException e) {
      WRONG.incrementAndGet();
    }
  }

  private static void check(long number) {
    DONE.incrementAndGet();
    if (ContextApi.spanId() != number) {
      WRONG.incrementAndGet();
    }
  }

  /** Says nothing on standard error. */
  private static final class Expected extends RuntimeException {
    private static final long serialVersionUID = 1;

    Expected() {
      super("expected", null, false, false);
    }
  }

  private static long usedAfterCollection() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(50);
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  /** A task that nobody runs, of a class that nobody else has. */
  private static WeakReference<ClassLoader> handOverFromAnotherLoader() throws Exception {
    ClassLoader loader =
        new ClassLoader(null) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            String file = name.replace('.', '/') + ".class";
            try (InputStream in = HandedChurn.class.getClassLoader().getResourceAsStream(file)) {
              if (in == null) {
                throw new ClassNotFoundException(name);
              }
              byte[] content = in.readAllBytes();
              return defineClass(name, content, 0, content.length);
            } catch (IOException e) {
              throw new ClassNotFoundException(name, e);
            }
          }
        };
    Runnable task =
        (Runnable)
            loader.loadClass(Forgotten.class.getName()).getDeclaredConstructor().newInstance();
    ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
    ContextApi.setOtel(1, 2, 3, 1);
    var _ = pool.schedule(task, 1, TimeUnit.HOURS);
    pool.shutdownNow().clear();
    ThreadPoolExecutor stopped =
        new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
    stopped.shutdown();
    try {
      stopped.execute(task);
    } catch (RejectedExecutionException e) {
      // So it is meant.
    }
    ContextApi.clear();
    return new WeakReference<>(loader);
  }

  /** Loaded by a loader of its own. */
  public static final class Forgotten implements Runnable {
    @Override
    public void run() {}
  }

  private static boolean isCollected(WeakReference<ClassLoader> loader)
      throws InterruptedException {
    for (int i = 0; i < 50 && loader.get() != null; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return loader.get() == null;
  }
}
