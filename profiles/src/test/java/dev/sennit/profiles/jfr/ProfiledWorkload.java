/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.concurrent.atomic.AtomicBoolean;
import one.profiler.AsyncProfiler;

/** Work for async-profiler to see: computing, allocating, waiting for a monitor. */
public final class ProfiledWorkload {
  static volatile Object sink = "";

  private ProfiledWorkload() {}

  public static void main(String[] args) throws Exception {
    AsyncProfiler profiler = AsyncProfiler.getInstance();
    profiler.execute(args[0]);
    AtomicBoolean done = new AtomicBoolean();
    Object lock = new Object();
    Thread[] rivals = new Thread[2];
    for (int i = 0; i < rivals.length; i++) {
      rivals[i] = new Thread(() -> compete(lock, done), "rival-" + i);
      rivals[i].start();
    }
    long end = System.nanoTime() + 700_000_000L;
    while (System.nanoTime() < end) {
      sink = new byte[10_000];
      sink = "text " + System.nanoTime();
    }
    done.set(true);
    for (Thread rival : rivals) {
      rival.join();
    }
    profiler.execute("stop");
  }

  private static void compete(Object lock, AtomicBoolean done) {
    while (!done.get()) {
      double sum = 0;
      synchronized (lock) {
        for (int i = 0; i < 20_000; i++) {
          sum += Math.sqrt(i);
        }
      }
      sink = sum;
    }
  }
}
