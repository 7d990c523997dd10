/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.span;

import dev.sennit.tracing.Recent;
import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.traffic.TraceIds;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests that processes are serving, with their ids, and what that says of a call whose
 * parent nobody has told: in a process that serves one request it belongs to that one, if the
 * process was never seen calling while it served none; one that says its trace, to the one request
 * of that trace. Otherwise nothing is said.
 */
final class ServedRequests {
  private static final int MOST_PROCESSES = 4096;

  private static final class Served {
    final IdentityHashMap<Exchange, TraceIds> open = new IdentityHashMap<>();
    boolean callsAlone;
  }

  private final Recent<Integer, Served> processes = new Recent<>(MOST_PROCESSES);

  private final IdentityHashMap<Exchange, TraceIds> calls = new IdentityHashMap<>();

  void began(Exchange request, TraceIds ids) {
    processes.computeIfAbsent(request.begin().pid(), pid -> new Served()).open.put(request, ids);
  }

  /** The ids that the request was given when it began; null if nobody saw it begin. */
  @Nullable TraceIds ended(Exchange request) {
    Served served = processes.get(request.begin().pid());
    return served == null ? null : served.open.remove(request);
  }

  void calls(Exchange call) {
    Served served = processes.get(call.begin().pid());
    if (served == null) {
      return;
    }
    TraceIds said = call.carried();
    if (said != null) {
      TraceIds only = only(served, said);
      if (only != null) {
        calls.put(call, only);
      }
    } else if (served.open.isEmpty()) {
      served.callsAlone = true;
    } else if (served.open.size() == 1 && !served.callsAlone) {
      calls.put(call, served.open.values().iterator().next());
    }
  }

  private static @Nullable TraceIds only(Served served, TraceIds trace) {
    TraceIds found = null;
    for (TraceIds each : served.open.values()) {
      if (each.isSameTrace(trace)) {
        if (found != null) {
          return null;
        }
        found = each;
      }
    }
    return found;
  }

  /** The request that the call belongs to; null if that is not certain. Forgets the call. */
  @Nullable TraceIds called(Exchange call) {
    return calls.remove(call);
  }
}
