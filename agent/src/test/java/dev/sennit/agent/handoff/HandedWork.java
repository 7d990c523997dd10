/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.shared.ContextOwner;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An application that hands its requests from thread to thread in one way, and checks wherever it
 * gets whose work it is doing. Requests are numbered, and a request's number is its span.
 */
final class HandedWork {
  private static final int REQUESTS = 1_000;
  private static final int AT_A_TIME = 8;

  private static final AtomicInteger RIGHT = new AtomicInteger();
  private static final AtomicInteger NONE = new AtomicInteger();
  private static final AtomicInteger WRONG = new AtomicInteger();

  private HandedWork() {}

  /** One way of handing over: it must call the check as often as it says, and wait for it. */
  private interface Way {
    void go(long request) throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    Way way = way(arguments[0]);
    if (arguments.length > 1 && arguments[1].equals("owned")) {
      ContextOwner.takeOver();
    }
    ExecutorService drivers = Executors.newFixedThreadPool(AT_A_TIME);
    List<Callable<@Nullable Object>> requests =
        IntStream.rangeClosed(1, REQUESTS).mapToObj(number -> request(number, way)).toList();
    for (Future<?> done : drivers.invokeAll(requests)) {
      done.get();
    }
    // What the drivers' threads do next is nobody's.
    int[] left = new int[1];
    for (int i = 0; i < 4 * AT_A_TIME; i++) {
      left[0] += drivers.submit(() -> current() == 0 ? 0 : 1).get();
    }
    drivers.shutdown();
    System.out.println("right " + RIGHT.get());
    System.out.println("none " + NONE.get());
    System.out.println("wrong " + WRONG.get());
    System.out.println("left " + left[0]);
    System.exit(0);
  }

  private static Callable<@Nullable Object> request(long number, Way way) {
    return () -> {
      ContextApi.setOtel(1, number, number, 1);
      way.go(number);
      check(number);
      ContextApi.clear();
      return null;
    };
  }

  private static long current() {
    ContextSnapshot snapshot = new ContextSnapshot();
    return ContextApi.get(snapshot) && snapshot.traceIdLow() == snapshot.spanId()
        ? snapshot.spanId()
        : 0;
  }

  private static void check(long request) {
    for (int i = 0; i < 2; i++) {
      long now = current();
      (now == request ? RIGHT : now == 0 ? NONE : WRONG).incrementAndGet();
      LockSupport.parkNanos(1_000);
    }
  }

  private static Way way(String name) {
    return switch (name) {
      case "execute" -> executed(Executors.newFixedThreadPool(4));
      case "cached" -> submitted(Executors.newCachedThreadPool());
      case "single" -> executed(Executors.newSingleThreadExecutor());
      case "own-tasks" -> submitted(new OwnTasks());
      case "caller-runs" -> executed(bounded(new ThreadPoolExecutor.CallerRunsPolicy()));
      case "waits-for-room" -> executed(bounded(HandedWork::putWhenThereIsRoom));
      case "array-queue" ->
          executed(
              new ThreadPoolExecutor(4, 4, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(100)));
      case "looks-aside" -> executed(new LooksAside());
      case "scheduled" -> scheduled(Executors.newScheduledThreadPool(4));
      case "invoke-all" -> invokedAll(Executors.newFixedThreadPool(4));
      case "forkjoin" -> submitted(new ForkJoinPool(4));
      case "forkjoin-execute" -> executed(new ForkJoinPool(4));
      case "forkjoin-scheduled" -> scheduled(new ForkJoinPool(4));
      case "fork" -> request -> ForkJoinPool.commonPool().invoke(new Tree(request, 4));
      case "parallel-stream" ->
          request -> IntStream.range(0, 8).parallel().forEach(i -> check(request));
      case "future" -> HandedWork::futures;
      case "future-of-other" -> HandedWork::completedByOther;
      case "virtual" -> HandedWork::virtual;
      case "virtual-executor" -> submitted(Executors.newVirtualThreadPerTaskExecutor());
      case "thread" -> HandedWork::threads;
      case "thread-per-task" ->
          submitted(Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory()));
      case "timer" -> timer(new Timer(true));
      case "structured" -> HandedWork::structured;
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static Way executed(Executor executor) {
    return request -> {
      CountDownLatch done = new CountDownLatch(1);
      executor.execute(
          () -> {
            check(request);
            done.countDown();
          });
      done.await();
    };
  }

  private static Way submitted(ExecutorService executor) {
    return request -> {
      executor.submit(() -> check(request)).get();
      executor
          .submit(
              () -> {
                check(request);
                return 1;
              })
          .get();
    };
  }

  private static Way scheduled(ScheduledExecutorService executor) {
    return request -> executor.schedule(() -> check(request), 1, TimeUnit.MILLISECONDS).get();
  }

  private static Way invokedAll(ExecutorService executor) {
    return request -> {
      Callable<Integer> task =
          () -> {
            check(request);
            return 1;
          };
      for (Future<Integer> each : executor.invokeAll(List.of(task, task, task))) {
        each.get();
      }
    };
  }

  /** A pool whose tasks are of a class of the application. */
  private static final class OwnTasks extends ThreadPoolExecutor {
    OwnTasks() {
      super(4, 4, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
      return new OwnTask<>(Executors.callable(runnable, value));
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
      return new OwnTask<>(callable);
    }
  }

  private static final class OwnTask<T> extends CompletableFuture<T> implements RunnableFuture<T> {
    private final Callable<T> work;

    OwnTask(Callable<T> work) {
      this.work = work;
    }

    @Override
    public void run() {
      try {
        complete(work.call());
      } catch (Exception e) {
        completeExceptionally(e);
      }
    }
  }

  private static Executor bounded(RejectedExecutionHandler handler) {
    return new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(1), handler);
  }

  private static void putWhenThereIsRoom(Runnable task, ThreadPoolExecutor pool) {
    try {
      pool.getQueue().put(task);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A pool whose threads take somebody else's task from another queue before they run theirs. */
  private static final class LooksAside extends ThreadPoolExecutor {
    private final LinkedBlockingQueue<Runnable> others = new LinkedBlockingQueue<>();

    LooksAside() {
      super(4, 4, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
      ContextApi.setOtel(1, REQUESTS + 1, REQUESTS + 1, 1);
      others.add(() -> {});
      ContextApi.clear();
      others.remove();
    }
  }

  private static final class Tree extends RecursiveAction {
    private final long request;
    private final int depth;

    Tree(long request, int depth) {
      this.request = request;
      this.depth = depth;
    }

    @Override
    protected void compute() {
      check(request);
      if (depth > 0) {
        Tree one = new Tree(request, depth - 1);
        Tree other = new Tree(request, depth - 1);
        one.fork();
        other.fork();
        one.join();
        other.join();
      }
    }
  }

  private static void futures(long request) {
    CompletableFuture<Integer> first =
        CompletableFuture.supplyAsync(
            () -> {
              check(request);
              return 1;
            });
    CompletableFuture<Void> second = CompletableFuture.runAsync(() -> check(request));
    Executor later = CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS);
    first
        .thenApplyAsync(checked(request))
        .thenApplyAsync(checked(request), later)
        .thenCombineAsync(
            second,
            (value, nothing) -> {
              check(request);
              return value;
            })
        .thenCompose(value -> CompletableFuture.supplyAsync(() -> checkedValue(request, value)))
        .handleAsync((value, failure) -> checkedValue(request, value))
        .<Integer>thenApply(
            value -> {
              throw new IllegalStateException("for the next one");
            })
        .exceptionally(failure -> checkedValue(request, 1))
        .whenComplete((value, failure) -> check(request))
        .thenCompose(
            value -> new CompletableFuture<Integer>().completeAsync(() -> checkedValue(request, 1)))
        .thenAcceptAsync(value -> check(request))
        .thenRunAsync(() -> check(request))
        .join();
  }

  private static java.util.function.UnaryOperator<Integer> checked(long request) {
    return value -> checkedValue(request, value);
  }

  private static Integer checkedValue(long request, Integer value) {
    check(request);
    return value;
  }

  private static final CompletableFuture<?>[] OTHERS = new CompletableFuture<?>[2];

  /** Two requests complete each other's futures. */
  private static void completedByOther(long request) throws Exception {
    CompletableFuture<Integer> mine = new CompletableFuture<>();
    CompletableFuture<Void> done = mine.thenAccept(value -> check(request));
    CompletableFuture<Integer> theirs;
    synchronized (OTHERS) {
      @SuppressWarnings("unchecked")
      CompletableFuture<Integer> waiting = (CompletableFuture<Integer>) OTHERS[0];
      theirs = waiting;
      OTHERS[0] = mine;
    }
    if (theirs != null) {
      theirs.complete(1);
    }
    check(request);
    // The last one has nobody after it.
    if (theirs == null || request > REQUESTS - AT_A_TIME) {
      mine.complete(1);
    }
    done.get(10, TimeUnit.SECONDS);
  }

  private static void virtual(long request) throws Exception {
    Runnable work =
        () -> {
          check(request);
          try {
            Thread.sleep(1);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          check(request);
        };
    Thread one = Thread.startVirtualThread(work);
    Thread two = Thread.ofVirtual().unstarted(work);
    two.start();
    Thread three =
        Thread.ofVirtual()
            .start(
                () -> {
                  check(request);
                  Thread below = Thread.startVirtualThread(work);
                  try {
                    below.join();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  check(request);
                });
    one.join();
    two.join();
    three.join();
  }

  private static void threads(long request) throws InterruptedException {
    Thread plain = new Thread(() -> check(request));
    Thread derived =
        new Thread() {
          @Override
          public void run() {
            check(request);
          }
        };
    plain.start();
    derived.start();
    plain.join();
    derived.join();
  }

  private static Way timer(Timer timer) {
    return request -> {
      CountDownLatch done = new CountDownLatch(1);
      timer.schedule(
          new TimerTask() {
            @Override
            public void run() {
              check(request);
              done.countDown();
            }
          },
          1);
      done.await();
    };
  }

  /** By reflection, for it is not final in this JDK. */
  private static void structured(long request) throws Exception {
    Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
    try (AutoCloseable scope = (AutoCloseable) type.getMethod("open").invoke(null)) {
      Callable<Integer> work =
          () -> {
            check(request);
            Thread.sleep(1);
            check(request);
            return 1;
          };
      for (int i = 0; i < 3; i++) {
        type.getMethod("fork", Callable.class).invoke(scope, work);
      }
      type.getMethod("join").invoke(scope);
    }
  }
}
