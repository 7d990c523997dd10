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
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sends spans, log lines and samples to a store, as bytes that it has to read first. */
final class Feeding {
  private static final int TRACES_OF_A_REQUEST = 100;

  private final TelemetryStore store;
  private final Shop shop = new Shop();
  private final @Nullable Sampler sampler;
  private long refused;
  private long mostBytes;
  private long makingNanos;

  /**
   * @param sampled whether there is a sample for each span, too
   */
  Feeding(TelemetryStore store, boolean sampled) {
    this.store = store;
    sampler = sampled ? new Sampler() : null;
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
    byte[] samples = sampler == null ? new byte[0] : sampler.sample(delivery.spans()).toByteArray();
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
    ExportProfilesServiceRequest profiles =
        Encoding.PROTOBUF.read(samples, ExportProfilesServiceRequest.getDefaultInstance());
    while (sink.profiles(profiles) instanceof Answer.Later) {
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

  /** The most memory that this process has had, all that is outside of the heap included. */
  static long residentBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException("/proc/self/status", e);
    }
  }

  /** Nanoseconds of processor time that this process has used. */
  static long processCpu() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }
}
