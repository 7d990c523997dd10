/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.cli.configuration.Configuration;
import dev.sennit.cli.configuration.Keys;
import dev.sennit.cli.local.LocalHost;
import dev.sennit.cli.observation.Observation;
import dev.sennit.kernel.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Attaches the agent to the JVMs that are observed, each once, so that requests are followed from
 * thread to thread in them. It looks for new ones every second; one that refuses is told of, and
 * left alone. One that somebody else profiles is followed all the same, and profiled when it can
 * be.
 */
final class JvmAgents implements AutoCloseable {
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);
  private static final String LIBRARY = "/libjvm.so";

  /** A JVM that is just starting has not yet said what it does with the signal to attach. */
  private static final Duration YOUNGEST = Duration.ofSeconds(2);

  /** After a refused profile; then twice as long each time, for each one is a line in its log. */
  private static final long FIRST_WAIT = TimeUnit.SECONDS.toNanos(30);

  private static final long LONGEST_WAIT = TimeUnit.MINUTES.toNanos(30);
  private static final String OFF = "off";

  private final Observation observation;
  private final Optional<LocalHost> host;
  private final Consumer<String> log;

  /** The processes that were looked at, by pid, with the time of their start. */
  private final Map<Integer, Instant> seen = new HashMap<>();

  /** When to ask again those that are not profiled yet, by pid. */
  private final Map<Integer, Again> refused = new HashMap<>();

  private record Again(long at, long pause) {}

  private volatile List<Target> targets = List.of();
  private volatile Optional<AgentUse.Profiling> profiling = Optional.empty();
  private volatile boolean closed;
  private @Nullable Thread thread;

  /**
   * @param host where samples go
   */
  JvmAgents(Observation observation, Optional<LocalHost> host, Consumer<String> log) {
    this.observation = observation;
    this.host = host;
    this.log = log;
  }

  /** From now on attaches to the JVMs among these; none if it is not wanted. */
  synchronized void change(Configuration configuration, List<Target> newTargets) {
    boolean wanted = configuration.get(Keys.JVM_ATTACH);
    String events = configuration.get(Keys.JVM_PROFILE);
    profiling =
        events.equals(OFF)
            ? Optional.empty()
            : host.map(each -> new AgentUse.Profiling(events, each.otlp()));
    targets = wanted ? List.copyOf(newTargets) : List.of();
    if (wanted && thread == null) {
      AgentFile.find();
      thread = Thread.ofPlatform().daemon().name("sennit-attach").start(this::attachUntilClosed);
    }
  }

  private void attachUntilClosed() {
    while (!closed) {
      Optional<Path> socket = observation.inboundSocket();
      List<Integer> pids = Target.processes(targets);
      seen.keySet().retainAll(pids);
      refused.keySet().retainAll(pids);
      if (socket.isPresent()) {
        pids.forEach(pid -> attachOnce(pid, socket.get()));
        pids.forEach(this::profileLater);
      }
      LockSupport.parkNanos(PAUSE);
    }
  }

  private void attachOnce(int pid, Path socket) {
    Instant start =
        ProcessHandle.of(pid).flatMap(process -> process.info().startInstant()).orElse(null);
    if (start == null
        || start.equals(seen.get(pid))
        || start.isAfter(Instant.now().minus(YOUNGEST))) {
      return;
    }
    seen.put(pid, start);
    refused.remove(pid);
    if (!isJvm(pid)) {
      return;
    }
    AgentUse use = new AgentUse(AgentFile.find(), Optional.of(socket), profiling);
    try (AttachedAgent agent = AttachedAgent.attach(pid)) {
      agent.execute(use.following());
      log.accept("process " + pid + " has the agent");
      use.profile().ifPresent(profile -> profile(pid, agent, profile));
    } catch (CommandFailure e) {
      log.accept(e.getMessage() + "; its threads are not followed");
    }
  }

  private void profile(int pid, AttachedAgent agent, String profile) {
    try {
      agent.execute(profile);
    } catch (CommandFailure e) {
      log.accept(e.getMessage() + "; it is followed, and profiled as soon as it can be");
      refused.put(pid, new Again(System.nanoTime() + FIRST_WAIT, FIRST_WAIT));
    }
  }

  private void profileLater(int pid) {
    Again again = refused.get(pid);
    Optional<AgentUse.Profiling> wanted = profiling;
    if (again == null || wanted.isEmpty() || System.nanoTime() - again.at < 0) {
      return;
    }
    AgentUse use = new AgentUse(AgentFile.find(), Optional.empty(), wanted);
    try (AttachedAgent agent = AttachedAgent.attach(pid)) {
      agent.execute(use.profile().orElseThrow());
      refused.remove(pid);
      log.accept("process " + pid + " is profiled now");
    } catch (CommandFailure e) {
      // It was told of when it refused first.
      long pause = Math.min(2 * again.pause, LONGEST_WAIT);
      refused.put(pid, new Again(System.nanoTime() + pause, pause));
    }
  }

  private static boolean isJvm(int pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/maps"), StandardCharsets.ISO_8859_1)
          .contains(LIBRARY);
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running != null) {
      LockSupport.unpark(running);
      try {
        running.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
