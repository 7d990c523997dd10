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
 * left alone.
 */
final class JvmAgents implements AutoCloseable {
  private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);
  private static final String LIBRARY = "/libjvm.so";

  /** A JVM that is just starting has not yet said what it does with the signal to attach. */
  private static final Duration YOUNGEST = Duration.ofSeconds(2);

  private static final String OFF = "off";

  private final Observation observation;
  private final Optional<LocalHost> host;
  private final Consumer<String> log;

  /** The processes that were looked at, by pid, with the time of their start. */
  private final Map<Integer, Instant> seen = new HashMap<>();

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
      if (socket.isPresent()) {
        pids.forEach(pid -> attachOnce(pid, socket.get()));
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
    if (!isJvm(pid)) {
      return;
    }
    try (AttachedAgent agent = AttachedAgent.attach(pid)) {
      agent.execute(new AgentUse(AgentFile.find(), Optional.of(socket), profiling).options());
      log.accept("process " + pid + " has the agent");
    } catch (CommandFailure e) {
      log.accept(e.getMessage() + "; its threads are not followed");
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
