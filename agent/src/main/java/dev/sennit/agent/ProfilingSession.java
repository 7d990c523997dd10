/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.agent.engine.EngineChoice;
import dev.sennit.agent.engine.EngineException;
import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Profiling from a start to a stop: an engine that records, and one thread that cuts the recording
 * into pieces and ships them.
 */
final class ProfilingSession {
  private static final String THREAD_NAME = "sennit-profiler";

  private final ProfilerOptions options;
  private final ScratchFolder folder;
  private final EngineChoice choice;
  private final ChunkShipper shipper;
  private final long started = System.nanoTime();
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread;
  private int cuts;

  private ProfilingSession(
      ProfilerOptions options, ScratchFolder folder, EngineChoice choice, ChunkShipper shipper) {
    this.options = options;
    this.folder = folder;
    this.choice = choice;
    this.shipper = shipper;
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .name(THREAD_NAME)
            .inheritInheritableThreadLocals(false)
            .unstarted(this::cutEachChunk);
    thread.setContextClassLoader(null);
  }

  /**
   * Starts.
   *
   * @throws IllegalArgumentException when an output cannot be used
   * @throws IllegalStateException when no engine runs
   */
  static ProfilingSession start(ProfilerOptions options) {
    ChunkShipper shipper = ChunkShipper.open(options);
    @Nullable ScratchFolder folder = null;
    try {
      folder = ScratchFolder.create();
      EngineChoice choice = EngineChoice.start(options, folder.path());
      Observers.profiler(choice.engine().association());
      ProfilingSession session = new ProfilingSession(options, folder, choice, shipper);
      session.thread.start();
      return session;
    } catch (IOException | EngineException e) {
      shipper.close();
      if (folder != null) {
        folder.delete();
      }
      throw new IllegalStateException("profiling does not start: " + e.getMessage(), e);
    }
  }

  private void cutEachChunk() {
    ScratchFolder.removeAbandoned();
    long chunk = options.chunktime().toNanos();
    for (long number = 1; ; number++) {
      long wait = started + number * chunk - System.nanoTime();
      try {
        if (ending.await(Math.max(0, wait), TimeUnit.NANOSECONDS)) {
          return;
        }
        cut(null);
      } catch (InterruptedException e) {
        // Some applications interrupt every thread they find; this one ends when it is told to.
      } catch (IOException | RuntimeException e) {
        AgentLog.warn("a piece of the recording is lost", e);
      }
    }
  }

  /** Cuts the recording here and ships the piece, to {@code also} as well if that is a file. */
  synchronized void cut(@Nullable Path also) throws IOException {
    if (ending.getCount() == 0) {
      return;
    }
    Path piece = folder.path().resolve("chunk-" + cuts++ + ".jfr");
    choice.engine().dump(piece);
    ship(piece, also);
  }

  private void ship(Path piece, @Nullable Path also) throws IOException {
    shipper.ship(piece);
    if (also != null) {
      shipper.append(piece, also);
    }
    Files.deleteIfExists(piece);
  }

  /** Ends, with everything that was recorded on its way. */
  void stop(@Nullable Path also) throws IOException {
    end(choice.engine()::stop, also);
  }

  /** The same while the JVM ends. */
  void finish() throws IOException {
    end(choice.engine()::finish, null);
  }

  /** A way to end an engine. */
  private interface Ending {
    void fetchRest(Path piece) throws IOException;
  }

  private synchronized void end(Ending engine, @Nullable Path also) throws IOException {
    if (ending.getCount() == 0) {
      return;
    }
    ending.countDown();
    Path piece = folder.path().resolve("chunk-" + cuts++ + ".jfr");
    try {
      // Contexts are observed until the end: what is open then must be what is open there.
      engine.fetchRest(piece);
      ship(piece, also);
    } finally {
      Observers.profiler(null);
      shipper.close();
      folder.delete();
    }
  }

  /** What is going on, for people. */
  synchronized String status() {
    return String.join(
        "\n",
        "engine: " + choice.engine().status() + " (" + choice.why() + ")",
        "options: " + options.events() + ",chunktime=" + Quantity.time(options.chunktime()),
        "contexts: "
            + ContextApi.getMode().optionValue()
            + ", "
            + choice.engine().association().status(),
        "output: " + shipper.status(),
        "running for: " + Duration.ofNanos(System.nanoTime() - started).toSeconds() + "s");
  }

  ProfilerOptions options() {
    return options;
  }

  String summary() {
    List<String> missing = choice.engine().missing();
    return choice.engine().name()
        + (" (" + choice.why() + "), " + options.events())
        + (missing.isEmpty() ? "" : ", without " + String.join(", ", missing));
  }
}
