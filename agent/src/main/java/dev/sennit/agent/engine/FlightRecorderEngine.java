/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.engine;

import dev.sennit.agent.ProfilerOptions;
import dev.sennit.agent.association.Association;
import dev.sennit.agent.association.ScopeAssociation;
import dev.sennit.profiles.OpenScopeEvent;
import dev.sennit.profiles.ScopeEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.jspecify.annotations.Nullable;

/**
 * Samples by JDK Flight Recorder: one recording follows another, the next beginning before the last
 * ends, so that nothing is missed between them.
 */
final class FlightRecorderEngine implements Engine {
  private static final String CPU_TIME_SAMPLE = "jdk.CPUTimeSample";

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Path folder;
  private final ScopeAssociation association = new ScopeAssociation();
  private @Nullable Recording recording;
  private @Nullable ProfilerOptions options;
  private List<String> missing = List.of();
  private String cpuEvent = "";

  FlightRecorderEngine(Path folder) {
    this.folder = folder;
  }

  @Override
  public String name() {
    return "JDK Flight Recorder";
  }

  @Override
  public void start(ProfilerOptions wanted) throws EngineException {
    options = wanted;
    missing = missing(wanted);
    if (wanted.cpu() == 0 && wanted.alloc() == 0 && wanted.lock() == 0) {
      throw new EngineException(
          "JDK Flight Recorder has no "
              + String.join(", ", missing)
              + ", and nothing else is to be sampled; add cpu, alloc or lock");
    }
    try {
      cpuEvent = hasCpuTimeSamples() ? CPU_TIME_SAMPLE : "jdk.ExecutionSample";
      FlightRecorder.register(ScopeEvent.class);
      FlightRecorder.register(OpenScopeEvent.class);
      recording = begin(wanted);
    } catch (IllegalStateException | SecurityException | LinkageError e) {
      throw new EngineException("JDK Flight Recorder: " + e.getMessage(), e);
    }
  }

  private static List<String> missing(ProfilerOptions wanted) {
    List<String> missing = new ArrayList<>();
    if (wanted.wall() != 0) {
      missing.add("wall");
    }
    if (wanted.live()) {
      missing.add("live");
    }
    if (wanted.nativemem() != 0) {
      missing.add("nativemem");
    }
    return missing;
  }

  /** Since JDK 25, on Linux; JEP 509. */
  private static boolean hasCpuTimeSamples() {
    return System.getProperty("os.name", "").equals("Linux")
        && FlightRecorder.getFlightRecorder().getEventTypes().stream()
            .map(EventType::getName)
            .anyMatch(CPU_TIME_SAMPLE::equals);
  }

  private Recording begin(ProfilerOptions wanted) {
    Recording next = new Recording();
    next.setName("sennit");
    next.setDumpOnExit(true);
    try {
      next.setDestination(exitFile(next));
    } catch (IOException e) {
      throw new IllegalStateException("cannot write into " + folder + ": " + e, e);
    }
    next.enable(ScopeEvent.class);
    next.enable(OpenScopeEvent.class);
    next.enable("jdk.JVMInformation");
    next.enable("jdk.ActiveSetting");
    if (wanted.cpu() != 0) {
      if (cpuEvent.equals(CPU_TIME_SAMPLE)) {
        next.enable(CPU_TIME_SAMPLE).with("throttle", wanted.cpu() + "ns");
      } else {
        next.enable("jdk.ExecutionSample").withPeriod(Duration.ofNanos(wanted.cpu()));
        next.enable("jdk.NativeMethodSample").withPeriod(Duration.ofNanos(wanted.cpu()));
      }
    }
    if (wanted.alloc() != 0) {
      next.enable("jdk.ObjectAllocationSample").with("throttle", "300/s");
    }
    if (wanted.lock() != 0) {
      Duration threshold = Duration.ofNanos(wanted.lock());
      next.enable("jdk.JavaMonitorEnter").withThreshold(threshold);
      next.enable("jdk.ThreadPark").withThreshold(threshold);
    }
    next.start();
    return next;
  }

  @Override
  public List<String> missing() {
    return missing;
  }

  @Override
  public Association association() {
    return association;
  }

  @Override
  public void dump(Path target) throws IOException {
    ProfilerOptions wanted = options;
    if (wanted == null) {
      throw new IllegalStateException("JDK Flight Recorder was not started");
    }
    association.recordOpenContexts();
    @Nullable Recording last = recording;
    recording = begin(wanted);
    end(last, target);
  }

  @Override
  public void stop(Path target) throws IOException {
    association.recordOpenContexts();
    end(recording, target);
    recording = null;
  }

  /**
   * The recorder stops by itself when the JVM ends, and empties what somebody else stops meanwhile.
   */
  @Override
  public void finish(Path target) throws IOException {
    @Nullable Recording last = recording;
    if (last != null) {
      association.recordOpenContexts();
      awaitEnd(last);
      Files.move(exitFile(last), target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void end(@Nullable Recording last, Path target) throws IOException {
    if (last == null) {
      throw new IllegalStateException("JDK Flight Recorder was not started");
    }
    // It writes itself to its file and closes itself.
    last.stop();
    Files.move(exitFile(last), target, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Where a recording writes itself when it is stopped, by whomever. */
  private Path exitFile(Recording of) {
    return folder.resolve("recording-" + of.getId() + ".jfr");
  }

  private static void awaitEnd(Recording last) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (last.getState() != RecordingState.CLOSED) {
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while JDK Flight Recorder ended", e);
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("JDK Flight Recorder did not end within " + PATIENCE);
      }
    }
  }

  @Override
  public String status() {
    return "JDK Flight Recorder of "
        + Runtime.version()
        + (cpuEvent.isEmpty() ? "" : ", event " + cpuEvent)
        + (missing.isEmpty() ? "" : ", without " + String.join(", ", missing));
  }
}
