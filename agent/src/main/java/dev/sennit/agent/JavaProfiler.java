/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.context.thread.ContextApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The profiler of this JVM, by commands as its agent takes them: {@code
 * start,cpu=10ms,ctxstorage=otel,jfr,file=profile.jfr}, {@code dump}, {@code status}, {@code stop}.
 */
public final class JavaProfiler {
  private static final JavaProfiler INSTANCE = new JavaProfiler();

  private @Nullable ProfilingSession session;

  private JavaProfiler() {}

  public static JavaProfiler getInstance() {
    return INSTANCE;
  }

  /**
   * Does what a command asks for.
   *
   * @return what came of it, for people
   * @throws IllegalArgumentException when the command cannot be meant, naming what is wrong
   * @throws IllegalStateException when it cannot be done now
   */
  public String execute(String command) {
    ProfilerOptions options = ProfilerOptions.parse(command);
    // By itself: properties and variables may be meant for an agent, which reads them as well.
    if (ProfilerOptions.parse(command, _ -> null, _ -> null).handsOff()) {
      throw new IllegalArgumentException(
          "'"
              + command
              + "' has options that only the agent can do: handoff, inbound and tls need"
              + " -javaagent:sennit-agent.jar=OPTIONS");
    }
    return execute(options);
  }

  synchronized String execute(ProfilerOptions options) {
    return switch (options.action()) {
      case START -> start(options);
      case STOP -> stop(options);
      case DUMP -> dump(options);
      case STATUS -> status();
      case NONE ->
          throw new IllegalArgumentException(
              "the command says nothing to do; begin it with start, stop, dump or status");
    };
  }

  private String start(ProfilerOptions options) {
    ProfilingSession running = session;
    if (running != null) {
      throw new IllegalStateException(
          "profiling runs already: "
              + running.summary()
              + outputs(running.options())
              + "; stop it first");
    }
    startContexts(options);
    ProfilingSession started = ProfilingSession.start(options);
    session = started;
    ShutdownDump.install();
    return "profiling started: " + started.summary();
  }

  /** Where profiles go, as a command has it. */
  private static String outputs(ProfilerOptions options) {
    return options.file().map(file -> ",file=" + file).orElse("")
        + (options.exports() ? ",otlp" + options.endpoint().map(url -> "=" + url).orElse("") : "");
  }

  /**
   * Publishes the process and starts contexts; those that somebody else has started stay as they
   * are, unless the options ask for others. Keys that the options name are announced either way.
   */
  static void startContexts(ProfilerOptions options) {
    ProcessResource.publish();
    if (!ContextApi.isInitialized() || options.namesContexts()) {
      ContextApi.initialize(options.contexts());
    } else {
      ContextApi.announceAll(options.contexts().attributeKeys());
    }
  }

  private String stop(ProfilerOptions options) {
    ProfilingSession running = running();
    session = null;
    try {
      running.stop(otherFile(options, running));
    } catch (IOException e) {
      throw new UncheckedIOException("the last piece of the recording is lost", e);
    }
    return "profiling stopped\n" + running.status();
  }

  private String dump(ProfilerOptions options) {
    ProfilingSession running = running();
    try {
      running.cut(otherFile(options, running));
    } catch (IOException e) {
      throw new UncheckedIOException("a piece of the recording is lost", e);
    }
    return "dumped\n" + running.status();
  }

  /** The file of a command, if it is another than the one that profiling was started with. */
  private static @Nullable Path otherFile(ProfilerOptions options, ProfilingSession running) {
    return options.file().equals(running.options().file())
        ? null
        : options.resolvedFile().orElse(null);
  }

  private synchronized String status() {
    ProfilingSession running = session;
    return running == null
        ? "not profiling; contexts: "
            + (ContextApi.isInitialized() ? ContextApi.getMode().optionValue() : "off")
        : running.status();
  }

  private ProfilingSession running() {
    ProfilingSession running = session;
    if (running == null) {
      throw new IllegalStateException("not profiling; start it first");
    }
    return running;
  }

  /** For the end of the JVM: whatever is recorded must not be lost. Never throws. */
  void finish() {
    try {
      ProfilingSession running;
      synchronized (this) {
        running = session;
        session = null;
      }
      if (running != null) {
        running.finish();
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      AgentLog.warn("the last piece of the recording is lost", e);
    }
  }

  /** Runs once when the JVM ends. */
  private static final class ShutdownDump {
    static {
      Thread hook =
          Thread.ofPlatform()
              .name("sennit-shutdown")
              .inheritInheritableThreadLocals(false)
              .unstarted(INSTANCE::finish);
      hook.setContextClassLoader(null);
      try {
        Runtime.getRuntime().addShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The JVM is ending already.
      }
    }

    private ShutdownDump() {}

    static void install() {
      // Loading the class has done it.
    }
  }
}
