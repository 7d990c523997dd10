/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent;

import dev.sennit.agent.handoff.HandOff;
import dev.sennit.agent.tls.Tls;
import dev.sennit.context.inbound.DescriptorSocket;
import dev.sennit.context.inbound.InboundSlots;
import dev.sennit.context.memory.Libc;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Starts hand-off as the options ask for it, and says what of it cannot be had. */
final class Follower {
  private Follower() {}

  /** What it does, for the agent's first line. */
  static String start(Instrumentation instrumentation, ProfilerOptions options) {
    InboundSlots slots = slots(options);
    String followed = handOff(instrumentation, options, slots);
    // Where the kernel was to say something and does not, nobody listens either.
    return options.tls() && (slots != null || options.inbound().isEmpty())
        ? followed + tls(instrumentation, slots)
        : followed;
  }

  private static String tls(Instrumentation instrumentation, @Nullable InboundSlots slots) {
    try {
      return "; " + Tls.install(instrumentation, slots, AgentLog::warn);
    } catch (ReflectiveOperationException
        | IOException
        | UnmodifiableClassException
        | RuntimeException
        | LinkageError e) {
      AgentLog.warn("what goes through the JDK's TLS is not seen: " + e);
      return "; no TLS";
    }
  }

  private static String handOff(
      Instrumentation instrumentation, ProfilerOptions options, @Nullable InboundSlots slots) {
    try {
      return HandOff.install(instrumentation, options.handOff(), slots, AgentLog::warn);
    } catch (ReflectiveOperationException
        | IOException
        | UnmodifiableClassException
        | RuntimeException
        | LinkageError e) {
      AgentLog.warn("contexts do not follow work from thread to thread: " + e);
      return "no hand-off";
    }
  }

  private static @Nullable InboundSlots slots(ProfilerOptions options) {
    if (options.inbound().isEmpty()) {
      return null;
    }
    try {
      int descriptor = DescriptorSocket.take(Path.of(options.inbound().get()));
      try {
        return InboundSlots.map(descriptor);
      } finally {
        Libc.close(descriptor);
      }
    } catch (IOException e) {
      AgentLog.warn("requests that the kernel sees are not known here: " + e.getMessage());
      return null;
    }
  }
}
