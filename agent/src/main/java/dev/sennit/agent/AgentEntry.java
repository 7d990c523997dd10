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

  private static final AtomicBoolean CALL_STACKS = new AtomicBoolean();

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
      AgentLog.info(said);
      reply(lateAttach, "done\n" + said);
    } catch (Exception | LinkageError | AssertionError e) {
      reply(lateAttach, "failed: " + messageOf(e));
      AgentLog.warn("'" + (options == null ? "" : options) + "' is not done: " + messageOf(e));
    }
  }

  /** Answers what there is to say of it. */
  private static String start(Instrumentation instrumentation, ProfilerOptions options) {
    boolean callStacks = asksForCallStacks() && CALL_STACKS.compareAndSet(false, true);
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
    if (callStacks) {
      @Nullable CallStackSampler sampler =
          CallStackSampler.startIfEnabled(System::getenv, System::getProperty, instrumentation);
      if (sampler != null) {
        Observers.callStacks(sampler::observing);
      }
    }
    if (options.action() != Action.NONE) {
      return JavaProfiler.getInstance().execute(options) + followed;
    } else if (callStacks) {
      return "call stacks, contexts: " + ContextApi.getMode().optionValue() + followed;
    } else if (options.namesContexts() || options.handsOff()) {
      return "contexts: " + ContextApi.getMode().optionValue() + followed;
    } else {
      return "nothing to do: neither start nor ctxstorage is among the options";
    }
  }

  /** Asked here, so that no class for it is loaded where it is off. */
  private static boolean asksForCallStacks() {
    String property = System.getProperty("splunk.profiler.enabled");
    String value = property != null ? property : System.getenv("SPLUNK_PROFILER_ENABLED");
    return value != null && value.strip().equalsIgnoreCase("true");
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
