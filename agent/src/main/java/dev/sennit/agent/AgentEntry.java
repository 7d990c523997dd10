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
      List.of("start", "stop", "ctxstorage", "ctxcapacity", "attributes", "ctxschema", "cpu", "wall", "jfr", "file");

  /**
   * The system property that tells whoever attached the agent what came of it: {@code done} or
   * {@code failed: } with the reason. The attach API has no other way back.
   */
  public static final String REPLY = "sennit.agent.reply";

  private AgentEntry() {}

  private static void reply(boolean lateAttach, String text) {
    if (lateAttach) {
      System.setProperty(REPLY, text);
    }
  }

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
      reply(lateAttach, "done");
      ContextLog.warn("agent started" + (lateAttach ? " late" : "") + ": " + text);
    } catch (RuntimeException e) {
      reply(lateAttach, "failed: " + e.getMessage());
      ContextLog.warn(String.valueOf(e.getMessage()));
    }
  }
}
