/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.callstack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The JVM's own counters of safepoints, read from its performance data. What matters is when they
 * move: {@code safepointSyncTime} moves after the last thread has stopped and before the operation
 * begins. So a thread that reads it in Java code learns on which side of an operation it is, which
 * no clock could tell, and reading is one load from memory.
 *
 * <pre>
 * header:  24 int offset of the first entry, 28 int number of entries
 * entry:    0 int length, 4 int offset of the name, 16 int offset of the value
 * </pre>
 */
final class Safepoints {
  private static final int FIRST_ENTRY_OFFSET = 24;
  private static final int ENTRIES_OFFSET = 28;
  private static final int NAME_OFFSET = 4;
  private static final int VALUE_OFFSET = 16;

  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final ByteBuffer data;
  private final int count;
  private final int synchronizing;
  private final int stopped;

  private Safepoints(ByteBuffer data) {
    this.data = data;
    this.count = find("sun.rt.safepoints");
    this.synchronizing = find("sun.rt.safepointSyncTime");
    this.stopped = find("sun.rt.safepointTime");
  }

  /** The counters; null where the JVM keeps none or does not let us read them. */
  static @Nullable Safepoints open() {
    try {
      Class<?> type = Class.forName("jdk.internal.perf.Perf");
      Object perf = type.getMethod("getPerf").invoke(null);
      Object data = type.getMethod("attach", int.class).invoke(perf, 0);
      return of((ByteBuffer) data);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null;
    }
  }

  private static Safepoints of(ByteBuffer data) {
    return new Safepoints(data.order(ByteOrder.nativeOrder()));
  }

  private int find(String name) {
    int entry = data.getInt(FIRST_ENTRY_OFFSET);
    for (int i = data.getInt(ENTRIES_OFFSET); i > 0; i--) {
      if (isAt(name, entry + data.getInt(entry + NAME_OFFSET))) {
        return entry + data.getInt(entry + VALUE_OFFSET);
      }
      entry += data.getInt(entry);
    }
    throw new IllegalStateException("the JVM has no counter " + name);
  }

  private boolean isAt(String name, int offset) {
    for (int i = 0; i < name.length(); i++) {
      if (data.get(offset + i) != name.charAt(i)) {
        return false;
      }
    }
    return data.get(offset + name.length()) == 0;
  }

  /** A number that differs before and after every safepoint operation. */
  long side() {
    return (long) LONG.getVolatile(data, synchronizing);
  }

  /** Safepoints that have begun. */
  long begun() {
    return (long) LONG.getVolatile(data, count);
  }

  /** Nanoseconds that all operations together have taken. */
  long stoppedNanos() {
    return (long) LONG.getVolatile(data, stopped);
  }
}
