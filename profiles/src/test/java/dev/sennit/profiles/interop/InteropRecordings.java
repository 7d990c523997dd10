/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.interop;

import dev.sennit.profiles.DetailedWorkload;
import dev.sennit.profiles.SampleWriter;
import dev.sennit.profiles.ScopeEvent;
import dev.sennit.profiles.SpannedWorkload;
import dev.sennit.profiles.jfr.ProfiledWorkload;
import dev.sennit.profiles.jfr.Recordings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.Recording;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** Recordings by everybody who writes them, made on the spot. */
final class InteropRecordings {
  private static final Map<String, Types.Builtin> IDS =
      Map.of(
          "spanId",
          Types.Builtin.LONG,
          "localRootSpanId",
          Types.Builtin.LONG,
          "size",
          Types.Builtin.LONG,
          "weight",
          Types.Builtin.LONG);

  static volatile Object sink = "";

  private InteropRecordings() {}

  /** All of them, by name. */
  static Map<String, Path> make(Path folder) throws IOException, InterruptedException {
    Map<String, Path> recordings = new LinkedHashMap<>();
    recordings.put("HotSpot", Recordings.hotSpot(folder));
    Optional<Path> jdk17 = Recordings.jdk(17);
    if (jdk17.isPresent()) {
      recordings.put("HotSpot 17", Recordings.hotSpot(folder, jdk17.get(), "hotspot17.jfr"));
    }
    recordings.put("HotSpot, rarer events", DetailedWorkload.record(folder));
    recordings.put("HotSpot, in spans", inSpans(folder.resolve("scopes.jfr")));
    recordings.put(
        "async-profiler",
        profile(
            folder.resolve("async.jfr"),
            "event=ctimer,interval=1ms,alloc=10k,live,lock=1us,nativemem=1k,cstack=vm,jfr"));
    recordings.put(
        "async-profiler, wall clock and native locks",
        profile(folder.resolve("wall.jfr"), "event=ctimer,interval=1ms,wall=5ms,nativelock=1,jfr"));
    recordings.put(
        "async-profiler, with the flight recorder",
        profile(folder.resolve("sync.jfr"), "event=ctimer,interval=1ms,jfrsync=profile"));
    Path spans = folder.resolve("spans.jfr");
    Recordings.java(
        List.of(), SpannedWorkload.class, "start,event=ctimer,interval=1ms,jfr,file=" + spans);
    recordings.put("async-profiler, in spans", spans);
    recordings.put("Datadog's events", datadog(folder.resolve("datadog.jfr")));
    return recordings;
  }

  private static Path profile(Path file, String options) {
    Recordings.java(
        List.of("-Xmx128m"), ProfiledWorkload.class, "start," + options + ",file=" + file);
    return file;
  }

  /** Sleeps and allocations of this JVM, some of them within scopes that contain each other. */
  private static Path inSpans(Path file) throws IOException, InterruptedException {
    try (Recording recording = new Recording()) {
      recording.enable("jdk.JVMInformation");
      recording.enable("jdk.ThreadSleep").withThreshold(Duration.ZERO).withStackTrace();
      recording.enable("jdk.ObjectAllocationSample").withStackTrace().with("throttle", "10000/s");
      recording.start();
      work();
      for (long span = 1; span <= 20; span++) {
        ScopeEvent outer = new ScopeEvent(-span, 4711, span);
        outer.begin();
        work();
        ScopeEvent inner = new ScopeEvent(-span, 4711, -span);
        inner.begin();
        work();
        inner.commit();
        outer.commit();
      }
      recording.stop();
      recording.dump(file);
    }
    return file;
  }

  private static void work() throws InterruptedException {
    Thread.sleep(1);
    for (int i = 0; i < 1000; i++) {
      sink = new byte[5000];
    }
  }

  /** What Datadog's profiler writes, and waits for native locks, which a JVM has by chance only. */
  private static Path datadog(Path file) throws IOException {
    List<String> events =
        List.of(
            "datadog.ExecutionSample",
            "datadog.MethodSample",
            "datadog.ObjectSample",
            "datadog.HeapLiveObject");
    try (SampleWriter writer = new SampleWriter(file)) {
      events.forEach(event -> writer.declare(event, IDS, true));
      writer.declare("profiler.NativeLock", Map.of("duration", Types.Builtin.LONG), false);
      for (int i = 0; i < 400; i++) {
        int n = i;
        writer.write(
            events.get(n % 4),
            1000L * n,
            event ->
                event
                    .putField(
                        "eventThread", writer.thread(n % 5 + 1, "thread \u00fc\u4e2d " + n % 5))
                    .putField(
                        "stackTrace",
                        writer.stack(n % 10 == 0, List.of("leaf" + n % 7, "m" + n % 3, "root")))
                    .putField("objectClass", writer.type(n % 2 == 0 ? "[B" : "java/lang/String"))
                    .putField("spanId", n % 6 * 0x9e37_79b9_7f4a_7c15L)
                    .putField("localRootSpanId", n % 2 * 0x7fff_ffff_ffff_ffffL)
                    .putField("size", 16L * n)
                    .putField("weight", n % 3 + 1L));
        writer.write(
            "profiler.NativeLock",
            1000L * n,
            event ->
                event
                    .putField("eventThread", writer.thread(n % 5 + 1, "thread"))
                    .putField("stackTrace", writer.stack(false, List.of("lock", "root")))
                    .putField("duration", 100L + n));
      }
    }
    return file;
  }
}
