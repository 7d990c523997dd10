/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Processes as a test wants them. */
final class SampleProcesses implements LiveProcesses {
  final AtomicInteger looks = new AtomicInteger();
  final AtomicInteger rests = new AtomicInteger();
  private final List<LiveProcess> processes = new ArrayList<>();

  /** Adds a process, or replaces the one that has the pid. */
  synchronized void put(LiveProcess process) {
    remove(process.pid());
    processes.add(process);
  }

  synchronized void remove(long pid) {
    processes.removeIf(process -> process.pid() == pid);
  }

  static LiveProcess process(
      long pid, String service, @Nullable String problem, List<LiveThread> threads) {
    return new LiveProcess(
        pid,
        1,
        service,
        "instance-of-" + pid,
        Map.of("service.name", service, "host.name", "here"),
        Map.of("sennit.thread_storage", "otel"),
        "otel",
        false,
        threads,
        threads.size(),
        40,
        problem);
  }

  /** Threads in a span that this number makes out. */
  static List<LiveThread> threads(int count, int span) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new LiveThread(
                    5000 + i,
                    "worker-" + i,
                    "%032x".formatted(0xabcdefL * (i + 1)),
                    "%016x".formatted(span * 1000L + i),
                    Map.of("http.route", "/orders/{id}")))
        .toList();
  }

  @Override
  public synchronized Snapshot snapshot() {
    looks.incrementAndGet();
    return new Snapshot(processes, false, 3);
  }

  @Override
  public void rest() {
    rests.incrementAndGet();
  }
}
