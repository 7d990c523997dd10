/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import dev.sennit.agent.AgentLog;
import dev.sennit.agent.callstack.ContextChanges.Notes;
import dev.sennit.agent.callstack.ThreadStack.Kind;
import dev.sennit.context.memory.OsThread;
import dev.sennit.context.memory.Proc;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import dev.sennit.context.thread.ContextStorageMode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tells which span was current on a thread at the instant of a dump, or none if it is not certain.
 *
 * <p>The records of all threads are read before the dump, and changes are noted from just before
 * that until just after it. A thread without a note must have the same record before and after. Of
 * a thread with notes, the last one made before the dump's operation counts, and if all were made
 * after it, the record read before. A thread that was stopped in the middle of a change has none.
 */
final class SpansAtDump {
  /** Safepoint operations of one {@code Thread.print} on JDK 25; the first is the dump's. */
  private static final int OWN_OPERATIONS = 2;

  private static final int ATTEMPTS = 5;
  private static final long PAUSE_NANOS = 100_000;
  private static final String CHANGING = "dev.sennit.context.thread.";
  private static final String NOTING = ContextChanges.class.getName();

  private final ContextChanges changes;
  private final @Nullable Safepoints safepoints;
  private final ContextSnapshot snapshot = new ContextSnapshot();
  private Map<Integer, SpanIds> before = Map.of();
  private int ownOperations = OWN_OPERATIONS;
  private long sideBefore;
  private long begunBefore;
  private long sideAfter;
  private boolean alone;
  private boolean watched;
  private boolean warned;

  SpansAtDump(ContextChanges changes, @Nullable Safepoints safepoints) {
    this.changes = changes;
    this.safepoints = safepoints;
  }

  /** Begins to watch the contexts of this process. */
  static SpansAtDump open() {
    Safepoints safepoints = Safepoints.open();
    return new SpansAtDump(new ContextChanges(safepoints), safepoints);
  }

  ContextChanges changes() {
    return changes;
  }

  @Nullable Safepoints safepoints() {
    return safepoints;
  }

  /** To be called right before the dump. */
  void begin() {
    changes.begin();
    begunBefore = safepoints == null ? 0 : safepoints.begun();
    before = new HashMap<>();
    watched = ContextApi.isInitialized() && isTold();
    if (watched) {
      try {
        for (int tid : Proc.threads(Math.toIntExact(ProcessHandle.current().pid()))) {
          before.put(tid, read(tid));
        }
      } catch (IOException e) {
        // Then only threads that change their context twice are certain.
      }
    }
    if (safepoints != null) {
      settle(safepoints);
    }
  }

  /**
   * Whether changes reach us, found out by one that changes nothing. They may not, if somebody else
   * observes contexts and does not pass them on.
   */
  private boolean isTold() {
    ContextApi.clear();
    if (changes.find(OsThread.id()) == null) {
      // We may have become the observer between the two looks; the second try tells.
      if (!ContextApi.isObserved()) {
        ContextApi.observe(changes);
      }
      ContextApi.clear();
    }
    boolean told = changes.find(OsThread.id()) != null;
    if (!told) {
      warn("another observes the contexts of this process");
    } else if (ContextApi.getMode() != ContextStorageMode.OTEL) {
      warn("that takes ctxstorage=otel, not " + ContextApi.getMode().optionValue());
    }
    return told;
  }

  private void warn(String reason) {
    if (!warned) {
      warned = true;
      AgentLog.warn("call stacks name no spans: " + reason);
    }
  }

  /**
   * Reads both counters with no operation between them. One that has begun may not have stopped
   * this thread yet; it does so before a pause is over.
   */
  private void settle(Safepoints counters) {
    for (int i = 0; i < ATTEMPTS; i++) {
      sideBefore = counters.side();
      long begun = counters.begun();
      if (begun == begunBefore) {
        return;
      }
      begunBefore = begun;
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** To be called right after the dump. */
  void dumped() {
    if (safepoints != null) {
      sideAfter = safepoints.side();
      int operations = (int) Math.min(safepoints.begun() - begunBefore, Integer.MAX_VALUE);
      ownOperations = Math.clamp(operations, 1, ownOperations);
      alone = operations == ownOperations;
    }
  }

  /** To be called when all threads have been asked for. */
  void end() {
    changes.end();
    before = Map.of();
  }

  /** The span of a thread at the instant, {@link SpanIds#NONE} if there was none or in doubt. */
  SpanIds of(ThreadStack thread) {
    if (!watched || (thread.kind() == Kind.MOUNTED && !ContextApi.followsVirtualThreads())) {
      return SpanIds.NONE;
    }
    int tid = thread.nid();
    SpanIds first = before.getOrDefault(tid, SpanIds.NONE);
    SpanIds now = read(tid);
    Notes notes = changes.find(tid);
    if (changes.isIncomplete() || isChanging(thread.frames())) {
      return SpanIds.NONE;
    }
    if (notes == null) {
      return now.equals(first) ? now : SpanIds.NONE;
    }
    return fromNotes(notes, first);
  }

  private SpanIds fromNotes(Notes notes, SpanIds first) {
    if (safepoints == null) {
      return SpanIds.NONE;
    }
    boolean hasBefore = notes.side(0) == sideBefore;
    boolean allBefore = hasBefore && notes.count() == 1;
    boolean allAfter = notes.side(0) == sideAfter;
    if (!alone && !allBefore && !allAfter) {
      // There were operations of others; which of them was the dump's is not known.
      return SpanIds.NONE;
    }
    return hasBefore ? notes.ids(0) : first;
  }

  private static boolean isChanging(List<StackFrame> frames) {
    for (StackFrame frame : frames) {
      if (frame.namespace().startsWith(CHANGING) || frame.namespace().startsWith(NOTING)) {
        return true;
      }
    }
    return false;
  }

  private SpanIds read(int tid) {
    return ContextApi.getByTid(tid, snapshot) ? SpanIds.of(snapshot) : SpanIds.NONE;
  }
}
