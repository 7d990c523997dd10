/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.engine;

import dev.sennit.agent.ProfilerOptions;
import dev.sennit.agent.association.Association;
import dev.sennit.agent.association.SampleAssociation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Samples by async-profiler. It records into a file of its own, of which complete chunks are
 * fetched; when that has grown large a new one is begun, which takes some ten milliseconds.
 */
final class AsyncProfilerEngine implements Engine {
  private static final long LARGE_FILE = 256L << 20;

  /** How CPU time is measured, best first: the first falls back by itself where it can. */
  private static final List<String> CPU_EVENTS = List.of("cpu", "ctimer", "itimer");

  private final Path folder;
  private @Nullable AsyncProfilerLibrary library;
  private @Nullable SampleAssociation association;
  private @Nullable RecordedChunks chunks;
  private String startCommand = "";
  private String cpuEvent = "";
  private int files;

  AsyncProfilerEngine(Path folder) {
    this.folder = folder;
  }

  @Override
  public String name() {
    return "async-profiler";
  }

  @Override
  public void start(ProfilerOptions options) throws EngineException {
    AsyncProfilerLibrary loaded = AsyncProfilerLibrary.load();
    List<String> events = options.cpu() == 0 ? List.of("") : CPU_EVENTS;
    List<String> problems = new ArrayList<>();
    for (String event : events) {
      startCommand = command(options, event);
      try {
        record(loaded);
        cpuEvent = event;
        library = loaded;
        SampleAssociation intervals = new SampleAssociation(loaded);
        intervals.warmUp();
        association = intervals;
        return;
      } catch (IllegalStateException | IllegalArgumentException | IOException e) {
        problems.add((event.isEmpty() ? "" : event + ": ") + e.getMessage());
      }
    }
    throw new EngineException("async-profiler: " + String.join("; ", problems));
  }

  private static String command(ProfilerOptions options, String cpuEvent) {
    StringBuilder command = new StringBuilder("start,jfr,loglevel=none");
    if (options.cpu() != 0) {
      command.append(",event=").append(cpuEvent).append(",interval=").append(options.cpu());
    }
    if (options.wall() != 0) {
      command.append(",wall=").append(options.wall());
    }
    if (options.alloc() != 0) {
      command.append(",alloc=").append(options.alloc());
    }
    if (options.live()) {
      command.append(",live");
    }
    if (options.lock() != 0) {
      command.append(",lock=").append(options.lock());
    }
    if (options.nativemem() != 0) {
      command.append(",nativemem=").append(options.nativemem());
    }
    return command.toString();
  }

  private void record(AsyncProfilerLibrary profiler) throws IOException {
    Path file = folder.resolve("recording-" + files++ + ".jfr");
    profiler.execute(startCommand + ",file=" + file);
    chunks = new RecordedChunks(file);
  }

  @Override
  public Association association() {
    return started(association);
  }

  @Override
  public void dump(Path target) throws IOException {
    AsyncProfilerLibrary profiler = started(library);
    RecordedChunks recorded = started(chunks);
    if (recorded.position() > LARGE_FILE) {
      stop(target);
      record(profiler);
      return;
    }
    association().recordOpenContexts();
    profiler.execute("dump,jfr,file=" + recorded.file());
    recorded.fetch(target);
  }

  @Override
  public void stop(Path target) throws IOException {
    RecordedChunks recorded = started(chunks);
    association().recordOpenContexts();
    started(library).execute("stop");
    recorded.fetch(target);
    Files.deleteIfExists(recorded.file());
  }

  @Override
  public String status() {
    AsyncProfilerLibrary profiler = started(library);
    return "async-profiler "
        + profiler.version()
        + " from "
        + profiler.origin()
        + (cpuEvent.isEmpty() ? "" : ", event " + cpuEvent)
        + ", "
        + profiler.samples()
        + " samples";
  }

  private static <T> T started(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("async-profiler was not started");
    }
    return value;
  }
}
