/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import dev.sennit.kernel.HookProvider;
import dev.sennit.kernel.KernelTracer;
import dev.sennit.kernel.StubHookProvider;
import dev.sennit.kernel.Target;
import dev.sennit.kernel.TracerSettings;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfObject;
import dev.sennit.kernel.ring.EventConsumer;
import dev.sennit.kernel.ring.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The programs in the kernel, which others may take the place of while an observation goes on, or
 * nothing where there are none. Counters go on when they are replaced.
 */
final class Hook implements AutoCloseable {
  private final EventConsumer consumer;
  private final Map<Outcome, Long> earlier = new EnumMap<>(Outcome.class);
  private HookProvider provider = new StubHookProvider("nothing is loaded");
  private TracerSettings settings = TracerSettings.defaults();
  private volatile List<Target> targets = List.of();
  private String reason = "nothing is loaded";
  private @Nullable InboundOffer inbound;

  Hook(EventConsumer consumer) {
    this.consumer = consumer;
  }

  /**
   * Sees by other settings from now on. New programs are loaded before the old ones let go, so that
   * little is missed, and nothing changes if they cannot be.
   */
  synchronized void change(
      HookUse use, TracerSettings newSettings, List<Target> newTargets, boolean active)
      throws IOException {
    boolean same =
        use != HookUse.OFF
            && provider instanceof KernelTracer
            && newSettings.equals(settings)
            && newTargets.equals(targets);
    if (!same) {
      HookProvider fresh = load(use, newSettings, newTargets);
      retire();
      provider = fresh;
      settings = newSettings;
      targets = List.copyOf(newTargets);
    }
    try {
      setActive(active);
    } catch (BpfException | IOException e) {
      if (use == HookUse.REQUIRED) {
        throw e;
      }
      retire();
      provider = without(String.valueOf(e.getMessage()));
    }
  }

  private HookProvider load(HookUse use, TracerSettings newSettings, List<Target> newTargets)
      throws IOException {
    if (use == HookUse.OFF) {
      return without("the hook is switched off");
    }
    if (use == HookUse.REQUIRED) {
      return inbound().load(newSettings, newTargets, consumer);
    }
    if (!BpfObject.isSupported()) {
      return without(BpfObject.library() + " is missing");
    }
    try {
      return inbound().load(newSettings, newTargets, consumer);
    } catch (BpfException | IOException e) {
      return without(String.valueOf(e.getMessage()));
    }
  }

  /** One for all programs that take each other's place: processes keep what they have mapped. */
  private InboundOffer inbound() {
    InboundOffer offer = inbound;
    if (offer == null) {
      offer = InboundOffer.make(pid -> targets.stream().anyMatch(each -> each.includes(pid)));
      inbound = offer;
    }
    return offer;
  }

  private HookProvider without(String why) {
    reason = why;
    return new StubHookProvider(why);
  }

  private void retire() {
    provider.deactivate();
    provider.counters().forEach((outcome, count) -> earlier.merge(outcome, count, Long::sum));
    provider.close();
  }

  synchronized void setActive(boolean active) throws IOException {
    if (active) {
      provider.activate();
    } else {
      provider.deactivate();
    }
  }

  synchronized boolean isActive() {
    return provider.isActive();
  }

  synchronized String describe() {
    return provider instanceof StubHookProvider
        ? "requests are not seen: " + reason
        : provider.describe() + (inbound == null ? "" : inbound.describe());
  }

  /** Where observed processes get the memory in which their threads are told what they read. */
  synchronized Optional<Path> inboundSocket() {
    return provider instanceof KernelTracer && inbound != null
        ? inbound.socket()
        : Optional.empty();
  }

  synchronized Map<Outcome, Long> counters() {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    counts.putAll(earlier);
    provider.counters().forEach((outcome, count) -> counts.merge(outcome, count, Long::sum));
    return counts;
  }

  @Override
  public synchronized void close() {
    retire();
    provider = without("the observation has ended");
    if (inbound != null) {
      inbound.close();
      inbound = null;
    }
  }
}
