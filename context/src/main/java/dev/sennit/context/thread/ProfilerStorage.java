/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static dev.sennit.context.memory.Memory.EVERYWHERE;
import static dev.sennit.context.thread.ProfilerRecordDescriptor.TAGS_OFFSET;
import static dev.sennit.context.thread.ProfilerRecordDescriptor.TAG_COUNT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.Memory;
import dev.sennit.context.process.AttributeValue;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Mode {@code profiler}: the record lies in the thread's block, for a profiler's signal handler on
 * the same thread. A handler that interrupts a write finds the checksum 0 and takes nothing.
 */
final class ProfilerStorage extends ThreadStorage {
  /** The ten tags are cleared two at a time. */
  private static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("spanId"),
          JAVA_LONG.withName("rootSpanId"),
          JAVA_LONG.withName("checksum"),
          JAVA_LONG.withName("tags0"),
          JAVA_LONG.withName("tags2"),
          JAVA_LONG.withName("tags4"),
          JAVA_LONG.withName("tags6"),
          JAVA_LONG.withName("tags8"),
          JAVA_LONG.withName("traceIdHigh"),
          JAVA_LONG.withName("traceIdLow"),
          JAVA_LONG.withName("flags"));

  private static final VarHandle SPAN_ID = Memory.field(LAYOUT, "spanId");
  private static final VarHandle ROOT_SPAN_ID = Memory.field(LAYOUT, "rootSpanId");
  private static final VarHandle CHECKSUM = Memory.field(LAYOUT, "checksum");
  private static final VarHandle TAGS_0 = Memory.field(LAYOUT, "tags0");
  private static final VarHandle TAGS_2 = Memory.field(LAYOUT, "tags2");
  private static final VarHandle TAGS_4 = Memory.field(LAYOUT, "tags4");
  private static final VarHandle TAGS_6 = Memory.field(LAYOUT, "tags6");
  private static final VarHandle TAGS_8 = Memory.field(LAYOUT, "tags8");
  private static final VarHandle TRACE_ID_HIGH = Memory.field(LAYOUT, "traceIdHigh");
  private static final VarHandle TRACE_ID_LOW = Memory.field(LAYOUT, "traceIdLow");
  private static final VarHandle FLAGS = Memory.field(LAYOUT, "flags");

  private final BlockRecord records;
  private final TagValues values = new TagValues();

  ProfilerStorage(ThreadBlocks blocks) {
    this.records = new BlockRecord(blocks, ThreadBlockDescriptor.PROFILER_RECORD_OFFSET);
  }

  @Override
  ContextStorageMode mode() {
    return ContextStorageMode.PROFILER;
  }

  @Override
  void set(long traceIdHigh, long traceIdLow, long spanId, long rootSpanId, int flags) {
    long record = records.address();
    if (record == 0) {
      return;
    }
    invalidate(record);
    write(record, traceIdHigh, traceIdLow, spanId, rootSpanId, flags);
    CHECKSUM.setRelease(EVERYWHERE, record, ProfilerRecordDescriptor.checksum(spanId, rootSpanId));
  }

  @Override
  void clear() {
    long record = records.address();
    if (record != 0) {
      invalidate(record);
      write(record, 0, 0, 0, 0, 0);
    }
  }

  private static void invalidate(long record) {
    CHECKSUM.setOpaque(EVERYWHERE, record, 0L);
    VarHandle.releaseFence();
  }

  private static void write(
      long record, long traceIdHigh, long traceIdLow, long spanId, long rootSpanId, int flags) {
    SPAN_ID.set(EVERYWHERE, record, spanId);
    ROOT_SPAN_ID.set(EVERYWHERE, record, rootSpanId);
    TAGS_0.set(EVERYWHERE, record, 0L);
    TAGS_2.set(EVERYWHERE, record, 0L);
    TAGS_4.set(EVERYWHERE, record, 0L);
    TAGS_6.set(EVERYWHERE, record, 0L);
    TAGS_8.set(EVERYWHERE, record, 0L);
    TRACE_ID_HIGH.set(EVERYWHERE, record, traceIdHigh);
    TRACE_ID_LOW.set(EVERYWHERE, record, traceIdLow);
    FLAGS.set(EVERYWHERE, record, (long) (flags & 0xFF));
  }

  @Override
  boolean get(ContextSnapshot into) {
    long record = records.address();
    if (record == 0 || !isValid(record)) {
      into.clear();
      return false;
    }
    into.fill(
        (long) TRACE_ID_HIGH.get(EVERYWHERE, record),
        (long) TRACE_ID_LOW.get(EVERYWHERE, record),
        (long) SPAN_ID.get(EVERYWHERE, record),
        (long) ROOT_SPAN_ID.get(EVERYWHERE, record),
        (int) (long) FLAGS.get(EVERYWHERE, record));
    return !into.isNone();
  }

  private static boolean isValid(long record) {
    long checksum = (long) CHECKSUM.getAcquire(EVERYWHERE, record);
    return checksum != 0
        && checksum
            == ProfilerRecordDescriptor.checksum(
                (long) SPAN_ID.get(EVERYWHERE, record),
                (long) ROOT_SPAN_ID.get(EVERYWHERE, record));
  }

  @Override
  boolean getByTid(int tid, ContextSnapshot into) {
    into.clear();
    return false;
  }

  @Override
  long spanId() {
    long record = records.address();
    return record == 0 ? 0 : (long) SPAN_ID.get(EVERYWHERE, record);
  }

  @Override
  long rootSpanId() {
    long record = records.address();
    return record == 0 ? 0 : (long) ROOT_SPAN_ID.get(EVERYWHERE, record);
  }

  @Override
  AttributeOutcome setAttribute(AttributeKey key, String value) {
    long record = records.address();
    int encoding = values.encode(value);
    if (record == 0 || encoding == 0) {
      return AttributeOutcome.NO_ROOM;
    }
    // One aligned store: a handler sees the tag before or the tag after, both true.
    Memory.putIntOpaque(tag(record, key), encoding);
    return AttributeOutcome.SET;
  }

  @Override
  @Nullable String getAttribute(AttributeKey key) {
    long record = records.address();
    return record == 0 ? null : values.decode(Memory.getInt(tag(record, key)));
  }

  private static long tag(long record, AttributeKey key) {
    return record + TAGS_OFFSET + (long) key.index() * Integer.BYTES;
  }

  @Override
  int maxAttributeKeys() {
    return TAG_COUNT;
  }

  @Override
  Map<String, AttributeValue> announcement(AttributeKeys keys) {
    return Map.of(ContextStorageMode.PROCESS_KEY, AttributeValue.of(mode().optionValue()));
  }

  @Override
  void close() {
    clear();
  }
}
