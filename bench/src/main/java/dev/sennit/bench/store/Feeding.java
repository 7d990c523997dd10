/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.store;

import com.sun.management.OperatingSystemMXBean;
import dev.sennit.intake.Answer;
import dev.sennit.intake.Encoding;
import dev.sennit.intake.MalformedException;
import dev.sennit.intake.TelemetrySink;
import dev.sennit.store.TelemetryStore;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sends spans and log lines to a store at a rate, as bytes that it has to read first. */
final class Feeding {
  private static final int TRACES_OF_A_REQUEST = 100;

  private final TelemetryStore store;
  private final Shop shop = new Shop();
  private long refused;
  private long mostBytes;
  private long makingNanos;

  Feeding(TelemetryStore store) {
    this.store = store;
  }

  /**
   * What came of it.
   *
   * @param seconds by the clock
   * @param cpuSeconds of the whole process, but for the making of the requests
   * @param refused requests that had to be sent again
   * @param mostBytes on disk
   */
  record Outcome(long spans, double seconds, double cpuSeconds, long refused, long mostBytes) {}

  /** Sends as many spans, and as many lines, at that rate of each. */
  Outcome run(long spans, long spansPerSecond) throws InterruptedException, MalformedException {
    long cpu = processCpu();
    long begin = System.nanoTime();
    int step = TRACES_OF_A_REQUEST * Shop.SPANS_OF_A_TRACE;
    long sent = 0;
    for (; sent < spans; sent += step) {
      long due = begin + sent * TimeUnit.SECONDS.toNanos(1) / spansPerSecond;
      LockSupport.parkNanos(due - System.nanoTime());
      send();
      if (sent / step % 20 == 0) {
        mostBytes = Math.max(mostBytes, store.statistics().bytesOnDisk());
      }
    }
    store.flush();
    double seconds = (System.nanoTime() - begin) / 1e9;
    double cpuSeconds = (processCpu() - cpu - makingNanos) / 1e9;
    return new Outcome(sent, seconds, cpuSeconds, refused, mostBytes);
  }

  private void send() throws MalformedException {
    long before = threadCpu();
    Shop.Delivery delivery =
        shop.next(TRACES_OF_A_REQUEST, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
    byte[] spans = delivery.spans().toByteArray();
    byte[] lines = delivery.lines().toByteArray();
    makingNanos += threadCpu() - before;
    TelemetrySink sink = store;
    ExportTraceServiceRequest traceRequest =
        Encoding.PROTOBUF.read(spans, ExportTraceServiceRequest.getDefaultInstance());
    while (sink.traces(traceRequest) instanceof Answer.Later) {
      again();
    }
    ExportLogsServiceRequest logRequest =
        Encoding.PROTOBUF.read(lines, ExportLogsServiceRequest.getDefaultInstance());
    while (sink.logs(logRequest) instanceof Answer.Later) {
      again();
    }
  }

  private void again() {
    refused++;
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
  }

  private static long threadCpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** Nanoseconds of processor time that this process has used. */
  static long processCpu() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
