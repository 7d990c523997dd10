/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.agent.ProfilerOptions.Action;
import dev.sennit.agent.callstack.CallStackSampler;
import dev.sennit.agent.virtualthread.VirtualThreadHooks;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextOptions;
import dev.sennit.context.thread.ContextStorageMode;
import dev.sennit.otlp.BuildVersion;
import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Where the agent begins, at the start of a JVM or attached to one that runs. */
public final class AgentEntry {
  /**
   * The system property that tells whoever attached the agent what came of it: {@code done} and, on
   * the lines that follow, what there is to say, or {@code failed: } with the reason. The attach
   * API has no other way back.
   */
  private static final String REPLY = "sennit.agent.reply";

  /** Whether call stacks were asked for once; what came of it holds as long as the JVM runs. */
  private static final AtomicBoolean CALL_STACKS = new AtomicBoolean();

  /** What samples call stacks; null where nothing does. */
  private static volatile @Nullable CallStackSampler sampler;

  private AgentEntry() {}

  /**
   * Does what the options ask for. Never throws: what is wrong is logged, and the application runs
   * without it.
   *
   * @param lateAttach whether the application has been running already
   */
  public static void start(
      Instrumentation instrumentation, @Nullable String options, boolean lateAttach) {
    try {
      String said = start(instrumentation, ProfilerOptions.parse(options == null ? "" : options));
      AgentLog.info("agent " + version() + ": " + said);
      reply(lateAttach, "done\n" + said);
    } catch (Exception | LinkageError | AssertionError e) {
      reply(lateAttach, "failed: " + messageOf(e));
      AgentLog.warn("'" + (options == null ? "" : options) + "' is not done: " + messageOf(e));
    }
  }

  /** Answers what there is to say of it. */
  private static String start(Instrumentation instrumentation, ProfilerOptions options) {
    boolean callStacks =
        asksForCallStacks()
            && CALL_STACKS.compareAndSet(false, true)
            && CallStackSampler.isEnabled(System::getenv, System::getProperty);
    if (callStacks && !options.namesContexts() && !ContextApi.isInitialized()) {
      // The only records that can be read of all threads just before a dump.
      ContextApi.initialize(ContextOptions.of(ContextStorageMode.OTEL));
    }
    String followed = "";
    if (options.action() == Action.START
        || options.namesContexts()
        || options.handsOff()
        || callStacks) {
      JavaProfiler.startContexts(options);
      followed = options.handsOff() ? "; " + Follower.start(instrumentation, options) : "";
      VirtualThreadHooks.install(instrumentation);
    }
    boolean sampling = callStacks && startCallStacks(instrumentation);
    String line;
    if (options.action() != Action.NONE) {
      line = JavaProfiler.getInstance().execute(options);
    } else if (callStacks || options.namesContexts() || options.handsOff()) {
      line = (sampling ? "call stacks, " : "") + "contexts: " + ContextApi.getMode().optionValue();
    } else {
      line = "nothing to do: neither start nor ctxstorage is among the options";
    }
    String more = options.action() == Action.STATUS ? callStackStatus() : "";
    return line + more + followed;
  }

  private static String version() {
    return BuildVersion.of(AgentEntry.class).orElse("from classes");
  }

  /**
   * Asked here, so that no class for it is loaded where it is off. What is neither that nor on is
   * for those classes to judge.
   */
  private static boolean asksForCallStacks() {
    String property = System.getProperty("splunk.profiler.enabled", "");
    @Nullable String value =
        property.isBlank() ? System.getenv("SPLUNK_PROFILER_ENABLED") : property;
    return value != null && !value.isBlank() && !value.strip().equalsIgnoreCase("false");
  }

  private static boolean startCallStacks(Instrumentation instrumentation) {
    @Nullable CallStackSampler started =
        CallStackSampler.startIfEnabled(System::getenv, System::getProperty, instrumentation);
    if (started == null) {
      return false;
    }
    sampler = started;
    Observers.callStacks(started::observing);
    closeAtEnd(started);
    return true;
  }

  /** What waits in memory must not be lost with the JVM. */
  private static void closeAtEnd(CallStackSampler started) {
    Thread hook =
        Thread.ofPlatform()
            .name("sennit-call-stacks-end")
            .inheritInheritableThreadLocals(false)
            .unstarted(started::close);
    hook.setContextClassLoader(null);
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending already.
    }
  }

  private static String callStackStatus() {
    @Nullable CallStackSampler running = sampler;
    return running == null ? "" : "\n" + running.status();
  }

  private static void reply(boolean lateAttach, String text) {
    if (lateAttach) {
      System.setProperty(REPLY, text);
    }
  }

  private static String messageOf(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
