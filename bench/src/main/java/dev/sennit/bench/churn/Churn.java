/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.churn;

import dev.sennit.context.memory.Memory;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextOptions;
import dev.sennit.context.thread.RingDescriptor;
import dev.sennit.testing.ChildProcess;
import java.util.ArrayList;
import java.util.List;

/**
 * A process in which threads come and go, each of which sets a context and ends without clearing
 * it.
 *
 * @param early after the first tenth of the threads, when everything is warm that gets warm
 * @param late after the last
 * @param usedSlots of the ring that still have an owner; 0 in modes without a ring
 */
record Churn(Footprint early, Footprint late, int usedSlots) {
  private static final int BATCH = 50;

  /** The heap has its size from the start, so that its growth is not taken for a leak. */
  private static final List<String> JVM_OPTIONS =
      List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch");

  private static final String FOOTPRINT = "footprint ";
  private static final String USED_SLOTS = "used slots ";

  /** Runs {@code threads} threads in a new process, with contexts in {@code mode}. */
  static Churn run(String mode, int threads) {
    try (ChildProcess child =
        ChildProcess.start(
            ChildProcess.javaCommand(JVM_OPTIONS, Main.class, mode, Integer.toString(threads)))) {
      return new Churn(
          Footprint.parse(child.expect(FOOTPRINT)),
          Footprint.parse(child.expect(FOOTPRINT)),
          Integer.parseInt(child.expect(USED_SLOTS)));
    }
  }

  long residentGrowth() {
    return late.resident() - early.resident();
  }

  /** The process itself. */
  public static final class Main {
    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
      ContextOptions options = ContextOptions.parse("ctxstorage=" + arguments[0]);
      int threads = Integer.parseInt(arguments[1]);
      ContextApi.initialize(options);
      int early = threads / 10;
      runThreads(early);
      System.out.println(FOOTPRINT + Footprint.ofThisProcess().print());
      runThreads(threads - early);
      System.out.println(FOOTPRINT + Footprint.ofThisProcess().print());
      System.out.println(USED_SLOTS + usedSlots());
    }

    private static void runThreads(int count) throws InterruptedException {
      List<Thread> batch = new ArrayList<>(BATCH);
      for (int i = 0; i < count; i++) {
        long id = i + 1L;
        batch.add(Thread.ofPlatform().start(() -> ContextApi.setOtel(id, id, id, 1)));
        if (batch.size() == BATCH || i == count - 1) {
          for (Thread thread : batch) {
            thread.join();
          }
          batch.clear();
          // The parent waits for a line a minute, not for ever.
          if ((i + 1) % 10_000 == 0) {
            System.out.println("so far " + (i + 1));
          }
        }
      }
    }

    private static int usedSlots() {
      int pid = Math.toIntExact(ProcessHandle.current().pid());
      if (!(new ProcessContextReader().read(pid) instanceof ProcessReading.Published published)
          || !(published.context().attributes().get(RingDescriptor.ADDRESS_KEY)
              instanceof AttributeValue.Whole(long ring))
          || !(published.context().attributes().get(RingDescriptor.CAPACITY_KEY)
              instanceof AttributeValue.Whole(long capacity))) {
        return 0;
      }
      int used = 0;
      for (int slot = 0; slot < capacity; slot++) {
        long at = ring + RingDescriptor.length(slot) + RingDescriptor.CONTROL_OFFSET;
        long control = Memory.getLong(at);
        if (RingDescriptor.tid(control) != 0 || RingDescriptor.isInUse(control)) {
          used++;
        }
      }
      return used;
    }
  }
}
