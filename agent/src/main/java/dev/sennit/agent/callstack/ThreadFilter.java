/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.callstack.ThreadStack.Kind;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Decides which threads are worth sending: those of the application, unless told otherwise. */
final class ThreadFilter {
  /** Sennit's own, and those in which OpenTelemetry's SDK sends. */
  private static final List<String> AGENT_PREFIXES =
      List.of(
          "sennit-",
          "BatchSpanProcessor_WorkerThread-",
          "BatchLogRecordProcessor_WorkerThread-",
          "PeriodicMetricReader-");

  /** Threads of HotSpot and of the JDK that serve no request. */
  private static final Set<String> JVM_NAMES =
      Set.of(
          "Reference Handler",
          "Finalizer",
          "Signal Dispatcher",
          "Service Thread",
          "Monitor Deflation Thread",
          "Notification Thread",
          "Common-Cleaner",
          "Attach Listener",
          "DestroyJavaVM",
          "process reaper",
          "MasterPoller",
          "Read-Poller",
          "Write-Poller",
          "VirtualThread-unblocker",
          "VirtualThread-unparker");

  private static final List<String> JVM_PREFIXES =
      List.of(
          "C1 CompilerThread",
          "C2 CompilerThread",
          "JVMCI",
          "JFR ",
          "VirtualThread-unparker",
          "SubPoller-",
          "process reaper (pid ");

  private final boolean jvmThreads;
  private final boolean agentThreads;
  private final List<Pattern> excluded;

  ThreadFilter(CallStackSettings settings) {
    this.jvmThreads = settings.includeJvmThreads();
    this.agentThreads = settings.includeAgentThreads();
    this.excluded = settings.excludedThreads().stream().map(ThreadFilter::pattern).toList();
  }

  /**
   * Whether a thread is to be sent.
   *
   * @param carriers the numbers of the threads that are there to carry virtual ones
   */
  boolean accepts(ThreadStack thread, Set<Long> carriers) {
    if (excluded.stream().anyMatch(pattern -> pattern.matcher(thread.name()).matches())) {
      return false;
    }
    if (startsWithOne(AGENT_PREFIXES, thread)) {
      return agentThreads;
    }
    return jvmThreads || (!isOfJvm(thread) && !carriers.contains(thread.number()));
  }

  /** Threads of native code that run no Java have no frames; there is nothing to be seen. */
  private static boolean isOfJvm(ThreadStack thread) {
    return thread.frames().isEmpty()
        || thread.kind() == Kind.CARRIER
        || JVM_NAMES.contains(thread.name())
        || startsWithOne(JVM_PREFIXES, thread);
  }

  private static boolean startsWithOne(List<String> prefixes, ThreadStack thread) {
    return prefixes.stream().anyMatch(thread.name()::startsWith);
  }

  private static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    glob.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '*' -> regex.append(".*");
                case '?' -> regex.append('.');
                default -> regex.append(Pattern.quote(Character.toString(c)));
              }
            });
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
