/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.virtualthread;

import dev.sennit.context.memory.OsThread;
import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A thousand requests, each on a virtual thread and in a span of its own, which work in bursts and
 * block in between. A request works below methods that spell its number, so that each sample says
 * by itself whose it is. Argument: where the log of mounts goes.
 */
final class NumberedRequests {
  static final int DIGITS = 4;
  private static final int REQUESTS = 1000;
  private static final int BURSTS = 20;
  private static final int UNIT = 100_000;

  private static volatile long sink;

  private NumberedRequests() {}

  static long spanOf(int request) {
    return request * 16L + 1;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.out.println("ready");
    System.in.read();
    List<List<String>> log = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= REQUESTS; i++) {
      int request = i;
      List<String> stints = new ArrayList<>();
      log.add(stints);
      threads.add(Thread.startVirtualThread(() -> serve(request, stints)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[0])))) {
      log.forEach(stints -> stints.forEach(writer::println));
    }
    System.out.println("served " + (sink == 42 ? "" : "well"));
    // Whoever reads its records would not find them any more.
    System.in.read();
  }

  /** It parks once and not until a time: mounted again it says so at once. */
  private static void serve(int request, List<String> stints) {
    ContextApi.setOtel(1, request, spanOf(request), 1);
    for (int burst = 0; burst < BURSTS; burst++) {
      long begin = System.nanoTime();
      next(request, 1000);
      stints.add(spanOf(request) + " " + OsThread.id() + " " + begin + " " + System.nanoTime());
      LockSupport.parkNanos(1_000_000);
    }
    long back = System.nanoTime();
    stints.add(spanOf(request) + " " + OsThread.id() + " " + back + " " + System.nanoTime());
    ContextApi.clear();
    inNone();
  }

  /** Goes on with the digit that {@code place} is the value of, or works when all are spelled. */
  private static void next(int number, int place) {
    if (place == 0) {
      spin();
      return;
    }
    int digit = number / place % 10;
    int rest = place / 10;
    switch (digit) {
      case 0 -> in0(number, rest);
      case 1 -> in1(number, rest);
      case 2 -> in2(number, rest);
      case 3 -> in3(number, rest);
      case 4 -> in4(number, rest);
      case 5 -> in5(number, rest);
      case 6 -> in6(number, rest);
      case 7 -> in7(number, rest);
      case 8 -> in8(number, rest);
      default -> in9(number, rest);
    }
  }

  private static void in0(int number, int place) {
    next(number, place);
  }

  private static void in1(int number, int place) {
    next(number, place);
  }

  private static void in2(int number, int place) {
    next(number, place);
  }

  private static void in3(int number, int place) {
    next(number, place);
  }

  private static void in4(int number, int place) {
    next(number, place);
  }

  private static void in5(int number, int place) {
    next(number, place);
  }

  private static void in6(int number, int place) {
    next(number, place);
  }

  private static void in7(int number, int place) {
    next(number, place);
  }

  private static void in8(int number, int place) {
    next(number, place);
  }

  private static void in9(int number, int place) {
    next(number, place);
  }

  private static void inNone() {
    spin();
  }

  private static void spin() {
    long state = sink | 1;
    for (int i = 0; i < UNIT; i++) {
      state = state * 6364136223846793005L + i;
    }
    sink = state;
  }
}
