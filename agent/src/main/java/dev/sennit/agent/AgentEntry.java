/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.agent.virtualthread.VirtualThreadHooks;
import dev.sennit.context.ContextLog;
import dev.sennit.context.thread.ContextApi;
import java.lang.instrument.Instrumentation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What boot calls inside the agent's layer. */
public final class AgentEntry {
  private static final List<String> OPTIONS =
      List.of("start", "stop", "ctxstorage", "ctxcapacity", "attributes", "ctxschema");

  private AgentEntry() {}

  public static void start(
      Instrumentation instrumentation, @Nullable String options, boolean lateAttach) {
    try {
      String text = options == null ? "" : options;
      for (String option : text.split(",", -1)) {
        String name = option.replaceFirst("=.*", "");
        if (!name.isEmpty() && !OPTIONS.contains(name)) {
          throw new IllegalArgumentException(
              "unknown option '" + name + "'; there are " + String.join(", ", OPTIONS));
        }
      }
      if (text.contains("ctxstorage")) {
        ContextApi.initialize(text);
        VirtualThreadHooks.install(instrumentation);
      }
      ContextLog.warn("agent started" + (lateAttach ? " late" : "") + ": " + text);
    } catch (RuntimeException e) {
      ContextLog.warn(String.valueOf(e.getMessage()));
    }
  }
}
