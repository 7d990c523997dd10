/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet.trial;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The way from each host to the topic: spans wait for their batch, some batches are held up for
 * seconds, and some are sent twice.
 */
final class GeneratedUplinks {
  private static final long BETWEEN_BATCHES = 200_000_000;
  private static final double LATE = 0.01;
  private static final long LATEST = 5_000_000_000L;
  private static final double TWICE = 0.01;
  private static final int LARGEST = 512;
  private static final InstrumentationScope SCOPE =
      InstrumentationScope.newBuilder().setName("dev.sennit.tracing").build();

  private record Ended(long time, int host, Span span) {}

  private record Sent(long time, long number, HostBatch batch) {}

  private final List<GeneratedHost> hosts;
  private final SplittableRandom random;
  private final Consumer<HostBatch> out;
  private final PriorityQueue<Ended> ended =
      new PriorityQueue<>(Comparator.comparingLong(Ended::time));
  private final PriorityQueue<Sent> sent =
      new PriorityQueue<>(Comparator.comparingLong(Sent::time).thenComparingLong(Sent::number));
  private final List<List<Span>> batches = new ArrayList<>();
  private long batchEnd = Long.MIN_VALUE;
  private long numbers;

  GeneratedUplinks(List<GeneratedHost> hosts, SplittableRandom random, Consumer<HostBatch> out) {
    this.hosts = hosts;
    this.random = random;
    this.out = out;
    hosts.forEach(host -> batches.add(new ArrayList<>()));
  }

  void add(GeneratedHost host, long end, Span span) {
    ended.add(new Ended(end, host.number, span));
  }

  /** Nothing will end before this time any more. */
  void sendUntil(long time) {
    for (Ended next = ended.peek(); next != null && next.time < time; next = ended.peek()) {
      ended.remove();
      if (next.time >= batchEnd) {
        close();
        batchEnd = next.time + BETWEEN_BATCHES;
      }
      List<Span> batch = batches.get(next.host);
      batch.add(next.span);
      if (batch.size() >= LARGEST) {
        send(next.host, next.time);
      }
    }
    if (time == Long.MAX_VALUE) {
      close();
    }
    for (Sent next = sent.peek();
        next != null && next.time < Math.min(time, batchEnd);
        next = sent.peek()) {
      out.accept(sent.remove().batch);
    }
    if (time == Long.MAX_VALUE) {
      for (Sent next = sent.poll(); next != null; next = sent.poll()) {
        out.accept(next.batch);
      }
    }
  }

  private void close() {
    for (int host = 0; host < batches.size(); host++) {
      if (!batches.get(host).isEmpty()) {
        send(host, batchEnd);
      }
    }
  }

  private void send(int host, long time) {
    List<Span> spans = batches.get(host);
    ExportTraceServiceRequest request =
        ExportTraceServiceRequest.newBuilder()
            .addResourceSpans(
                ResourceSpans.newBuilder()
                    .setResource(hosts.get(host).resource)
                    .addScopeSpans(ScopeSpans.newBuilder().setScope(SCOPE).addAllSpans(spans)))
            .build();
    spans.clear();
    long late = random.nextDouble() < LATE ? random.nextLong(LATEST) : 0;
    enqueue(host, time + late, request);
    if (random.nextDouble() < TWICE) {
      enqueue(host, time + late + BETWEEN_BATCHES, request);
    }
  }

  private void enqueue(int host, long time, ExportTraceServiceRequest request) {
    sent.add(new Sent(time, numbers++, new HostBatch(host, time / 1_000_000, request)));
  }
}
