/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static dev.sennit.context.memory.Memory.EVERYWHERE;
import static dev.sennit.context.thread.OtepRecordDescriptor.ATTRIBUTES_OFFSET;
import static dev.sennit.context.thread.OtepRecordDescriptor.VALID_OFFSET;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.Memory;
import dev.sennit.context.process.AttributeValue;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Mode {@code otep}: the record of OTEP 4947 lies in the thread's block, and {@code
 * otel_thread_ctx_v1} points at it from the thread's first use on. The pointer stays; {@code valid}
 * is what toggles (section "Writer", alternative b).
 */
final class OtepStorage extends ThreadStorage {
  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private static final StructLayout LAYOUT =
      MemoryLayout.structLayout(
          JAVA_LONG.withName("traceIdHigh"),
          JAVA_LONG.withName("traceIdLow"),
          JAVA_LONG.withName("spanId"),
          JAVA_INT.withName("state"),
          MemoryLayout.paddingLayout(Integer.BYTES));
  private static final VarHandle TRACE_ID_HIGH = Memory.field(LAYOUT, "traceIdHigh");
  private static final VarHandle TRACE_ID_LOW = Memory.field(LAYOUT, "traceIdLow");
  private static final VarHandle SPAN_ID = Memory.field(LAYOUT, "spanId");

  /** The bytes {@code valid}, flags and size as one word. */
  private static final VarHandle STATE = Memory.field(LAYOUT, "state");

  /** Key index of {@link OtepRecordDescriptor#LOCAL_ROOT_KEY}; the registry announces it first. */
  private static final int LOCAL_ROOT_INDEX = 0;

  private final BlockRecord records;
  private final String schemaVersion;

  OtepStorage(ThreadBlocks exposedBlocks, String schemaVersion) {
    this.records = new BlockRecord(exposedBlocks, ThreadBlockDescriptor.OTEP_RECORD_OFFSET);
    this.schemaVersion = schemaVersion;
  }

  @Override
  ContextStorageMode mode() {
    return ContextStorageMode.OTEP;
  }

  @Override
  void set(long traceIdHigh, long traceIdLow, long spanId, long rootSpanId, int flags) {
    long record = records.address();
    if (record == 0) {
      return;
    }
    invalidate(record);
    if (spanId == 0 || (traceIdHigh | traceIdLow) == 0) {
      // "If either id is set, both must be": half a context is none.
      return;
    }
    putIds(record, traceIdHigh, traceIdLow, spanId);
    int attributesSize =
        rootSpanId == traceIdLow
            ? 0
            : OtepAttributes.putHex(record + ATTRIBUTES_OFFSET, LOCAL_ROOT_INDEX, rootSpanId);
    validate(record, flags, attributesSize);
  }

  @Override
  void clear() {
    long record = records.address();
    if (record != 0) {
      invalidate(record);
    }
  }

  /** The reader sees a stopped thread, so the order of instructions is all that counts. */
  private static void invalidate(long record) {
    STATE.setOpaque(EVERYWHERE, record, 0);
    VarHandle.releaseFence();
  }

  private static void validate(long record, int flags, int attributesSize) {
    STATE.setRelease(EVERYWHERE, record, stateWord(flags, attributesSize));
  }

  /** {@code valid = 1}, flags and size as the four bytes that they are in memory. */
  private static int stateWord(int flags, int attributesSize) {
    return LITTLE_ENDIAN
        ? 1 | (flags & 0xFF) << 8 | attributesSize << 16
        : 1 << 24 | (flags & 0xFF) << 16 | attributesSize;
  }

  @Override
  boolean get(ContextSnapshot into) {
    long record = records.address();
    if (record == 0 || !isValid(record)) {
      into.clear();
      return false;
    }
    long traceIdLow = traceIdLow(record);
    into.fill(
        w3c((long) TRACE_ID_HIGH.get(EVERYWHERE, record)),
        traceIdLow,
        w3c((long) SPAN_ID.get(EVERYWHERE, record)),
        rootSpanId(record, traceIdLow),
        Memory.getByte(record + OtepRecordDescriptor.FLAGS_OFFSET) & 0xFF);
    return !into.isNone();
  }

  @Override
  boolean getByTid(int tid, ContextSnapshot into) {
    into.clear();
    return false;
  }

  @Override
  long spanId() {
    long record = records.address();
    return record == 0 || !isValid(record) ? 0 : w3c((long) SPAN_ID.get(EVERYWHERE, record));
  }

  @Override
  long rootSpanId() {
    long record = records.address();
    return record == 0 || !isValid(record) ? 0 : rootSpanId(record, traceIdLow(record));
  }

  private static long rootSpanId(long record, long traceIdLow) {
    int size = OtepAttributes.size(record);
    long entry = OtepAttributes.find(record, size, LOCAL_ROOT_INDEX);
    return entry == 0 ? traceIdLow : OtepAttributes.getHex(entry);
  }

  @Override
  AttributeOutcome setAttribute(AttributeKey key, String value) {
    long record = records.address();
    if (record == 0) {
      return AttributeOutcome.NO_ROOM;
    }
    if (isValid(record)) {
      return OtepAttributes.put(record, key.index(), value);
    }
    // Attributes without a span are allowed; the ids are then zero.
    invalidate(record);
    putIds(record, 0, 0, 0);
    AttributeOutcome outcome = OtepAttributes.put(record, key.index(), value);
    if (outcome == AttributeOutcome.SET) {
      VarHandle.releaseFence();
      Memory.putByteOpaque(record + VALID_OFFSET, (byte) 1);
    }
    return outcome;
  }

  @Override
  @Nullable String getAttribute(AttributeKey key) {
    long record = records.address();
    if (record == 0 || !isValid(record)) {
      return null;
    }
    long entry = OtepAttributes.find(record, OtepAttributes.size(record), key.index());
    return entry == 0 ? null : OtepAttributes.getText(entry);
  }

  @Override
  int maxAttributeKeys() {
    return OtepRecordDescriptor.MAX_KEYS;
  }

  @Override
  Map<String, AttributeValue> announcement(AttributeKeys keys) {
    Map<String, AttributeValue> announcement = new LinkedHashMap<>();
    announcement.put(ContextStorageMode.PROCESS_KEY, AttributeValue.of(mode().optionValue()));
    announcement.put(OtepRecordDescriptor.SCHEMA_VERSION_KEY, AttributeValue.of(schemaVersion));
    announcement.put(
        OtepRecordDescriptor.ATTRIBUTE_KEY_MAP_KEY, AttributeValue.ofStrings(keys.names()));
    return announcement;
  }

  /**
   * Only a thread itself may write its record; readers stop looking when the announcement is
   * withdrawn.
   */
  @Override
  void close() {
    clear();
  }

  private static boolean isValid(long record) {
    return Memory.getByte(record + VALID_OFFSET) == 1;
  }

  private static void putIds(long record, long traceIdHigh, long traceIdLow, long spanId) {
    TRACE_ID_HIGH.set(EVERYWHERE, record, w3c(traceIdHigh));
    TRACE_ID_LOW.set(EVERYWHERE, record, w3c(traceIdLow));
    SPAN_ID.set(EVERYWHERE, record, w3c(spanId));
  }

  private static long traceIdLow(long record) {
    return w3c((long) TRACE_ID_LOW.get(EVERYWHERE, record));
  }

  private static long w3c(long id) {
    return LITTLE_ENDIAN ? Long.reverseBytes(id) : id;
  }
}
