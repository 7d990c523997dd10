/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import dev.sennit.context.shared.Rendezvous;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * What one copy of the context classes says to the others. The copy that was started keeps the
 * records; the others follow it, which means that they write through its functions. An agent's copy
 * takes the records over from an application's: the profiler must see every change.
 */
final class SharedContexts {
  /** Whether the copy keeps records itself: a Boolean. */
  private static final String RUNS = "runs";

  /** Its functions: a Map of MethodHandles by name. */
  private static final String FUNCTIONS = "functions";

  /** Tells it to write through the functions of another, which are the argument. */
  private static final String FOLLOW = "follow";

  /** Tells it to keep no records, and to follow nobody. */
  private static final String STOP = "stop";

  private SharedContexts() {}

  /** Makes this copy known, and returns the functions of the one that keeps records, if any. */
  @SuppressWarnings("unchecked") // by the questions' agreement
  static @Nullable Map<String, MethodHandle> enter() {
    Rendezvous.answer(RUNS, _ -> ContextApi.runsHere());
    Rendezvous.answer(FUNCTIONS, _ -> functions());
    Rendezvous.answer(
        FOLLOW,
        functions -> {
          ContextApi.follow((Map<String, MethodHandle>) functions);
          return null;
        });
    Rendezvous.answer(
        STOP,
        _ -> {
          ContextApi.shutdown();
          return null;
        });
    return runningElsewhere();
  }

  /** The functions of the copy that keeps records; null if there is none. */
  @SuppressWarnings("unchecked") // by the questions' agreement
  static @Nullable Map<String, MethodHandle> runningElsewhere() {
    for (BiFunction<String, Object, @Nullable Object> other : Rendezvous.others()) {
      if (Boolean.TRUE.equals(other.apply(RUNS, ""))) {
        return (Map<String, MethodHandle>) other.apply(FUNCTIONS, "");
      }
    }
    return null;
  }

  /** Before this copy begins to keep records. */
  static void stopOthers() {
    for (BiFunction<String, Object, @Nullable Object> other : Rendezvous.others()) {
      var _ = other.apply(STOP, "");
    }
  }

  /** Once this copy keeps records. */
  static void leadOthers() {
    List<BiFunction<String, Object, @Nullable Object>> others = Rendezvous.others();
    if (!others.isEmpty()) {
      Map<String, MethodHandle> functions = functions();
      for (BiFunction<String, Object, @Nullable Object> other : others) {
        var _ = other.apply(FOLLOW, functions);
      }
    }
  }

  static Map<String, MethodHandle> functions() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Map<String, MethodHandle> functions = new HashMap<>();
    try {
      for (SharedStorage.Function function : SharedStorage.Function.ALL) {
        functions.put(
            function.key(),
            lookup.findStatic(SharedContexts.class, function.key(), function.type()));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("SharedContexts lacks a function of its own", e);
    }
    return functions;
  }

  static boolean initialize(String options) {
    return ContextApi.initialize(options);
  }

  static boolean isInitialized() {
    return ContextApi.isInitialized();
  }

  static String mode() {
    return ContextApi.getMode().optionValue();
  }

  static void set(long traceIdHigh, long traceIdLow, long spanId, long rootSpanId, int flags) {
    ContextApi.set(traceIdHigh, traceIdLow, spanId, rootSpanId, flags);
  }

  /** Reads a thread by its tid, or the current one when that is 0. */
  static boolean get(int tid, long[] into) {
    ContextSnapshot snapshot = new ContextSnapshot();
    boolean found = tid == 0 ? ContextApi.get(snapshot) : ContextApi.getByTid(tid, snapshot);
    into[0] = snapshot.traceIdHigh();
    into[1] = snapshot.traceIdLow();
    into[2] = snapshot.spanId();
    into[3] = snapshot.rootSpanId();
    into[4] = snapshot.flags();
    return found;
  }

  static long spanId() {
    return ContextApi.spanId();
  }

  static long rootSpanId() {
    return ContextApi.rootSpanId();
  }

  static int announce(String name) {
    return ContextApi.announce(name).index();
  }

  static String setAttribute(String name, int index, String value) {
    return ContextApi.setAttribute(new AttributeKey(name, index), value).name();
  }

  static @Nullable String getAttribute(String name, int index) {
    return ContextApi.getAttribute(new AttributeKey(name, index));
  }

  /** The index of an announced key; -1 when it is not. */
  static int find(String name) {
    return ContextApi.indexOf(name);
  }

  static String[] attributeNames() {
    return ContextApi.names().toArray(String[]::new);
  }
}
