/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.inbound.InboundRequest;
import dev.sennit.context.inbound.InboundSlots;
import dev.sennit.context.thread.ContextApi;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where contexts come in: when a thread reads from a socket, the kernel has written into its slot
 * whether that was a request, and which. A thread that waits for many channels has such a context
 * only from a socket that blocks, for between two reads it may do anybody's work.
 */
public final class RequestReads {
  /** How long a thread that was started for a request belongs to it, at most. */
  static final long LONGEST_START = TimeUnit.SECONDS.toNanos(30);

  /** Null where no kernel says anything. */
  private final @Nullable InboundSlots slots;

  public RequestReads(@Nullable InboundSlots slots) {
    this.slots = slots;
  }

  /** What the thread's slot says before a read; for {@link #after}. */
  public long before() {
    return slots == null ? 0 : slots.sequence(ContextApi.tid());
  }

  /**
   * Whatever was read in between is over: a request that it brought is the thread's from now on.
   */
  public void after(long before) {
    InboundSlots known = slots;
    if (known == null || !Relay.isOn()) {
      return;
    }
    int tid = ContextApi.tid();
    long sequence = known.sequence(tid);
    if (sequence != before) {
      adopt(known, tid, sequence);
    } else if (ContextApi.spanId() != 0 && !known.isTended()) {
      forget();
    }
  }

  /** It may have been a request, of which nobody told. */
  private static void forget() {
    if (Thread.currentThread().isVirtual()) {
      ContextApi.clear();
      return;
    }
    ThreadState state = ThreadState.current();
    if (state.adopted != 0) {
      forget(state);
    }
  }

  private static void adopt(InboundSlots slots, int tid, long sequence) {
    InboundRequest request = new InboundRequest();
    if (!slots.read(tid, sequence, request)) {
      return;
    }
    if (!Thread.currentThread().isVirtual()) {
      ThreadState state = ThreadState.current();
      if (state.loops && request.shared()) {
        return;
      }
      state.adopted = request.spanId();
      state.sequence = sequence;
      state.expires = 0;
    }
    ContextApi.setOtel(
        request.traceIdHigh(), request.traceIdLow(), request.spanId(), request.flags());
  }

  /**
   * A thread that has read a request belongs to it until it is answered, by whomever. What a task
   * has brought along stays.
   */
  void beforeWrite() {
    if (Thread.currentThread().isVirtual()) {
      return;
    }
    ThreadState state = ThreadState.current();
    if (state.adopted != 0 && (slots == null || !slots.isOpen(ContextApi.tid(), state.sequence))) {
      forget(state);
    } else if (state.expires != 0 && System.nanoTime() - state.expires > 0) {
      state.expires = 0;
      ContextApi.clear();
    }
  }

  /** What a thread has read is done with when it waits for the next. */
  void selecting() {
    if (Thread.currentThread().isVirtual()) {
      return;
    }
    ThreadState state = ThreadState.current();
    state.loops = true;
    if (state.adopted != 0) {
      forget(state);
    }
  }

  private static void forget(ThreadState state) {
    if (ContextApi.spanId() == state.adopted && Relay.isOn()) {
      ContextApi.clear();
    }
    state.adopted = 0;
  }
}
