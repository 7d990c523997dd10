/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.jfr.Recordings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordingFile;

/** What only a flight recorder of a new JDK sees: traced methods, pinned virtual threads. */
public final class DetailedWorkload {
  private static final long BURNT_MILLIS = 600;
  private static final int TRIES = 5;
  private static final List<Object> KEPT = new ArrayList<>();

  private DetailedWorkload() {}

  /**
   * The workload under the flight recorder, with all that it can see of it. The recorder's sampler
   * is a thread like others: where it got no turn, the workload runs again, and longer.
   */
  public static Path record(Path folder) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      Path recording = recordOnce(folder.resolve("details" + i + ".jfr"), BURNT_MILLIS << i);
      if (isSampled(recording)) {
        return recording;
      }
    }
    throw new IllegalStateException("the flight recorder took no sample, " + TRIES + " times");
  }

  private static Path recordOnce(Path recording, long burntMillis) {
    Recordings.java(
        List.of(
            "-Xmx64m",
            "-Xlog:disable",
            "-Dotel.service.name=details",
            "-Dburnt.millis=" + burntMillis,
            "-XX:StartFlightRecording:settings=profile,filename="
                + recording
                + ",method-trace="
                + DetailedWorkload.class.getName()
                + "::traced"
                + ",jdk.VirtualThreadPinned#threshold=0ms,jdk.ThreadSleep#threshold=0ms"
                + ",jdk.OldObjectSample#enabled=true"
                + ",jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=2ms"),
        DetailedWorkload.class);
    return recording;
  }

  private static boolean isSampled(Path recording) throws IOException {
    return RecordingFile.readAllEvents(recording).stream()
        .map(event -> event.getEventType().getName())
        .collect(Collectors.toSet())
        .containsAll(Set.of("jdk.ExecutionSample", "jdk.CPUTimeSample"));
  }

  public static void main(String[] args) throws InterruptedException {
    traced();
    deep(100);
    for (int i = 0; i < 100_000; i++) {
      KEPT.add(new byte[500]);
      if (KEPT.size() > 5000) {
        KEPT.subList(0, 2500).clear();
      }
    }
    burn(TimeUnit.MILLISECONDS.toNanos(Long.getLong("burnt.millis", BURNT_MILLIS)));
    Thread.ofVirtual().name("pinned one").start(() -> System.out.println(Initialised.DONE)).join();
  }

  /** By processor time: on a busy machine the sampler may not come by within that of the clock. */
  private static void burn(long nanos) {
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    while (thread.getCurrentThreadCpuTime() < nanos) {
      for (Object array : KEPT) {
        Arrays.fill((byte[]) array, (byte) 1);
      }
    }
  }

  private static void traced() throws InterruptedException {
    Thread.sleep(3);
  }

  private static void deep(int calls) throws InterruptedException {
    if (calls > 0) {
      deep(calls - 1);
    } else {
      Thread.sleep(3);
    }
  }

  /** A virtual thread cannot leave its carrier while it initialises a class. */
  private static final class Initialised {
    static final boolean DONE = initialise();

    private static boolean initialise() {
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return true;
    }
  }
}
