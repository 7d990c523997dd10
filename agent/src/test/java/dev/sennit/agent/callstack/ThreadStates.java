/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sennit.context.memory.OsThread;
import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Has a thread in every state, each in a span of its own, and prints what they are. */
final class ThreadStates {
  private static final Object HELD = new Object();
  private static final Object FREE = new Object();
  private static volatile boolean running = true;

  private ThreadStates() {}

  /** What a thread does until the program ends. */
  interface Activity {
    void run() throws InterruptedException;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    ContextApi.initialize("ctxstorage=otel");
    synchronized (HELD) {
      start("burns", Thread.State.RUNNABLE, ThreadStates::burn);
      start("blocked", Thread.State.BLOCKED, ThreadStates::enter);
      start("waits", Thread.State.WAITING, () -> await(0));
      start("waits for a time", Thread.State.TIMED_WAITING, () -> await(1_000_000));
      start("parked", Thread.State.WAITING, LockSupport::park);
      start("parked for a time", Thread.State.TIMED_WAITING, () -> LockSupport.parkNanos(1L << 60));
      start("sleeps", Thread.State.TIMED_WAITING, () -> Thread.sleep(1_000_000));
      start("quote\" back\\slash", Thread.State.WAITING, LockSupport::park);
      start("line\nend\ttab\r\u0007\u007f", Thread.State.WAITING, LockSupport::park);
      start("naïve 線 😀", Thread.State.WAITING, LockSupport::park);
      start(
          "x\n\n\"evil\" #99 [1] daemon prio=1 os_prio=0 tid=0x1 nid=0x1 y",
          Thread.State.WAITING,
          LockSupport::park);
      start("", Thread.State.WAITING, LockSupport::park);
      start("left out 7", Thread.State.WAITING, LockSupport::park);
      // As the agent's hooks do; this virtual thread never leaves its carrier.
      ContextApi.followVirtualThreads();
      Thread virtual =
          Thread.ofVirtual()
              .name("virtual \"線\"")
              .start(
                  () -> {
                    setSpan(Thread.currentThread().threadId());
                    burn();
                  });
      Thread parked = Thread.ofVirtual().name("parked virtual").start(LockSupport::park);
      await(() -> parked.getState() == Thread.State.WAITING);
      print(virtual.getName(), virtual.threadId(), 0);
      print(parked.getName(), parked.threadId(), 0);
      Thread unstarted = Thread.ofPlatform().name("new").unstarted(() -> {});
      print("new", unstarted.threadId(), 0);
      @Nullable CallStackSampler sampler =
          CallStackSampler.startIfEnabled(System::getenv, System::getProperty);
      print("main", Thread.currentThread().threadId(), OsThread.id());
      System.out.println("ready " + (sampler != null) + " " + hasSamplerThread());
      System.in.read();
      if (sampler != null) {
        System.out.println(sampler.status());
      }
    }
    running = false;
    System.exit(0);
  }

  private static boolean hasSamplerThread() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("sennit-call-stacks"));
  }

  @SuppressWarnings("ThreadPriorityCheck") // Only to be seen in a dump.
  private static void start(String name, Thread.State state, Activity activity)
      throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .priority(3)
            .name(name)
            .unstarted(
                () -> {
                  long number = Thread.currentThread().threadId();
                  setSpan(number);
                  print(name, number, OsThread.id());
                  begun.countDown();
                  try {
                    while (running) {
                      activity.run();
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    thread.start();
    begun.await();
    await(() -> thread.getState() == state);
  }

  private static void setSpan(long number) {
    ContextApi.setOtel(number, number + 1, number + 2, 1);
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static synchronized void print(String name, long number, int tid) {
    String encoded = Base64.getEncoder().encodeToString(name.getBytes(UTF_8));
    System.out.println("thread " + number + " " + tid + " " + encoded);
  }

  private static void burn() {
    while (running) {
      Thread.onSpinWait();
    }
  }

  private static void enter() {
    synchronized (HELD) {
      running = false;
    }
  }

  private static void await(long millis) throws InterruptedException {
    synchronized (FREE) {
      while (running) {
        FREE.wait(millis);
      }
    }
  }
}
