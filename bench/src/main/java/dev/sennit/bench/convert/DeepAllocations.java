/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.convert;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Recording;

/**
 * Writes a large recording: two threads allocate at the ends of deep call chains, of which there
 * are some hundred thousand. It runs without compilers, because they allocate too, and
 * async-profiler's converter cannot read events without a stack.
 */
final class DeepAllocations {
  private static final int DEPTH = 25;
  private static final int CHAINS = 150_000;

  @SuppressWarnings("unused") // Written only: what is allocated must be seen to be used.
  private static volatile Object sink = "";

  private DeepAllocations() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path file = Path.of(args[0]);
    long bytes = Long.parseLong(args[1]) << 20;
    AtomicBoolean done = new AtomicBoolean();
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ObjectAllocationSample").with("throttle", "off");
      recording.enable("jdk.ActiveSetting");
      recording.enable("jdk.JVMInformation");
      recording.setToDisk(true);
      recording.start();
      Thread[] workers = new Thread[2];
      for (int i = 0; i < workers.length; i++) {
        SplittableRandom random = new SplittableRandom(i);
        workers[i] = new Thread(() -> work(random, done), "worker-" + i);
        workers[i].start();
      }
      // What is still in buffers comes on top, so it is never less than asked for.
      while (recording.getSize() < bytes) {
        Thread.sleep(100);
      }
      done.set(true);
      for (Thread worker : workers) {
        worker.join();
      }
      recording.dump(file);
    }
    System.out.println(Files.size(file));
  }

  private static void work(SplittableRandom random, AtomicBoolean done) {
    long[] chains = random.longs(CHAINS).toArray();
    while (!done.get()) {
      call(chains[random.nextInt(CHAINS)], DEPTH);
    }
  }

  /** The bits of a chain say which method comes next. */
  private static void call(long chain, int depth) {
    if (depth == 0) {
      allocate();
      return;
    }
    switch ((int) chain & 7) {
      case 0 -> a(chain >>> 2, depth);
      case 1 -> b(chain >>> 2, depth);
      case 2 -> c(chain >>> 2, depth);
      case 3 -> d(chain >>> 2, depth);
      case 4 -> e(chain >>> 2, depth);
      case 5 -> f(chain >>> 2, depth);
      case 6 -> g(chain >>> 2, depth);
      default -> h(chain >>> 2, depth);
    }
  }

  private static void a(long chain, int depth) {
    call(chain, depth - 1);
  }

  private static void b(long chain, int depth) {
    call(chain, depth - 1);
  }

  private static void c(long chain, int depth) {
    call(chain, depth - 1);
  }

  private static void d(long chain, int depth) {
    call(chain, depth - 1);
  }

  private static void e(long chain, int depth) {
    call(chain, depth - 1);
  }

  private static void f(long chain, int depth) {
    call(chain, depth - 1);
  }

  private static void g(long chain, int depth) {
    call(chain, depth - 1);
  }

  private static void h(long chain, int depth) {
    call(chain, depth - 1);
  }

  private static void allocate() {
    for (int i = 0; i < 8; i++) {
      sink = new byte[2048];
    }
  }
}
