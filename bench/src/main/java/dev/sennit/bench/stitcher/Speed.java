/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.stitcher;

import com.sun.management.OperatingSystemMXBean;
import dev.sennit.tracing.stitch.Arrival;
import dev.sennit.tracing.stitch.GeneratedTraffic;
import dev.sennit.tracing.stitch.Stitcher;
import dev.sennit.tracing.stitch.StitcherSettings;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * How many spans one thread stitches in a second. The processor time is that of the whole process,
 * after a time in which the compiler has done its work.
 */
final class Speed {
  private static final int RATE = 5000;
  private static final double SECONDS = 4;
  private static final int PASSES_FOR_THE_COMPILER = 15;
  private static final long BETWEEN_ADVANCES = 10_000_000;

  /** By the clock, and of processor time. */
  record Pass(double spansPerSecond, double spansPerCpuSecond) {}

  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final List<Arrival> arrivals = GeneratedTraffic.of(1, RATE, SECONDS).arrivals();
  private long passed;

  Speed() {
    for (int i = 0; i < PASSES_FOR_THE_COMPILER; i++) {
      stitch();
    }
  }

  Pass pass() {
    long cpu = process.getProcessCpuTime();
    long start = System.nanoTime();
    stitch();
    long nanos = System.nanoTime() - start;
    cpu = process.getProcessCpuTime() - cpu;
    return new Pass(arrivals.size() * 1e9 / nanos, arrivals.size() * 1e9 / cpu);
  }

  private void stitch() {
    Stitcher stitcher = new Stitcher(StitcherSettings.defaults());
    passed = 0;
    long next = 0;
    for (Arrival arrival : arrivals) {
      if (arrival.time() >= next) {
        stitcher.advance(arrival.time(), span -> passed++);
        next = arrival.time() + BETWEEN_ADVANCES;
      }
      stitcher.add(arrival.span(), span -> passed++);
    }
    stitcher.flush(span -> passed++);
    if (passed != arrivals.size()) {
      throw new IllegalStateException(
          arrivals.size() + " spans went in and " + passed + " came out");
    }
  }
}
