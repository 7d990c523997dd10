/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.AgentLog;
import dev.sennit.context.thread.ContextObserver;
import java.lang.instrument.Instrumentation;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Samples the call stacks of all threads and sends them as logs, from a start that {@code
 * SPLUNK_PROFILER_ENABLED=true} asks for until the process ends. As long as nobody asks, no other
 * class of this package is loaded.
 */
public final class CallStackSampler implements AutoCloseable {
  private static final String PROPERTY = "splunk.profiler.enabled";
  private static final String VARIABLE = "SPLUNK_PROFILER_ENABLED";

  private final SampleLoop loop;

  private CallStackSampler(SampleLoop loop) {
    this.loop = loop;
  }

  /**
   * {@link #startIfEnabled(Function, Function, Instrumentation)} with what the JVM opens itself.
   */
  public static @Nullable CallStackSampler startIfEnabled(
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> properties) {
    return startIfEnabled(environment, properties, null);
  }

  /**
   * Starts sampling if the settings ask for it. Never throws: what is wrong is said in the log.
   *
   * @param instrumentation opens what dumps need of the JDK; without it the command line must, or
   *     spans are named only for threads that do not change them during a dump
   * @return null if it is off or cannot be
   */
  public static @Nullable CallStackSampler startIfEnabled(
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> properties,
      @Nullable Instrumentation instrumentation) {
    if (!isEnabled(environment, properties)) {
      return null;
    }
    try {
      if (instrumentation != null) {
        JdkAccess.grant(instrumentation);
      }
      CallStackSettings settings = CallStackSettings.read(environment, properties, AgentLog::warn);
      return new CallStackSampler(SampleLoop.start(settings));
    } catch (Exception | LinkageError e) {
      AgentLog.warn("call stacks are not sampled: " + e.getMessage());
      return null;
    }
  }

  /**
   * Whether the settings ask for call stacks; a value that is neither yes nor no is said in the
   * log. Whoever looks for a value first loads not even this class where there is none.
   */
  public static boolean isEnabled(
      Function<String, @Nullable String> environment,
      Function<String, @Nullable String> properties) {
    String name = PROPERTY;
    @Nullable String value = properties.apply(PROPERTY);
    if (value == null || value.isBlank()) {
      name = VARIABLE;
      value = environment.apply(VARIABLE);
    }
    if (value == null || value.isBlank() || value.strip().equalsIgnoreCase("false")) {
      return false;
    }
    if (value.strip().equalsIgnoreCase("true")) {
      return true;
    }
    AgentLog.warn(name + "=" + value + " is not true or false; call stacks are not sampled");
    return false;
  }

  /**
   * What {@code ContextApi.observe} must be given while this runs: it tells the sampler, and {@code
   * other} as well if there is one. Without it call stacks name no spans.
   */
  public ContextObserver observing(@Nullable ContextObserver other) {
    return loop.observing(other);
  }

  /** What has been done so far, for people. */
  public String status() {
    return loop.status();
  }

  /** Ends sampling and sends what is left, without waiting for long. */
  @Override
  public void close() {
    loop.close();
  }
}
