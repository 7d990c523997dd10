/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import dev.sennit.context.memory.OsThread;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** Another process whose threads are all in spans, until it is closed or this one ends. */
public final class SpanProcess implements AutoCloseable {
  static final int THREADS = 1_000;

  private static final String GREETING = "tid ";

  private final ChildProcess process;
  private final int tid;

  private SpanProcess(ChildProcess process, int tid) {
    this.process = process;
    this.tid = tid;
  }

  static SpanProcess start(String mode) {
    ChildProcess process = ChildProcess.java(SpanProcess.class, mode);
    return new SpanProcess(process, Integer.parseInt(process.expect(GREETING)));
  }

  int pid() {
    return process.pid();
  }

  /** One of its threads. */
  int tid() {
    return tid;
  }

  @Override
  public void close() {
    process.close();
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    ContextApi.initialize("ctxstorage=" + arguments[0]);
    CountDownLatch inSpans = new CountDownLatch(THREADS);
    for (int i = 1; i <= THREADS; i++) {
      int id = i;
      Thread.ofPlatform().daemon().start(() -> stayInSpan(id, inSpans));
    }
    inSpans.await();
    while (System.in.read() >= 0) {
      // Nothing is ever said; the end of input is the end of the parent.
    }
  }

  private static void stayInSpan(int id, CountDownLatch inSpans) {
    ContextApi.setOtel(id, id, id, 1);
    inSpans.countDown();
    if (id == THREADS / 2) {
      awaitAll(inSpans);
      System.out.println(GREETING + OsThread.id());
    }
    while (true) {
      LockSupport.park();
    }
  }

  private static void awaitAll(CountDownLatch inSpans) {
    try {
      inSpans.await();
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts", e);
    }
  }
}
