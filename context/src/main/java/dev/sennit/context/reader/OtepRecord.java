/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.thread.OtepRecordDescriptor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Understands a copy of the record that {@link OtepRecordDescriptor} lays out. */
final class OtepRecord {
  private static final int ENTRY_HEAD_LENGTH = 2;

  /** Any other value means that there is no record, or that it is being written. */
  static final int VALID = 1;

  /** The keys that writers use for the local root span; the second is that of Datadog. */
  private static final List<String> LOCAL_ROOT_KEYS =
      List.of(OtepRecordDescriptor.LOCAL_ROOT_KEY, "datadog.local_root_span_id");

  private static final int HEX_DIGITS_OF_ID = 16;

  private OtepRecord() {}

  /** The announced keys by index; one that is not a string is empty, which names nothing. */
  static List<String> keys(ProcessContext context) {
    if (!(context.attributes().get(OtepRecordDescriptor.ATTRIBUTE_KEY_MAP_KEY)
        instanceof AttributeValue.Array(List<AttributeValue> values))) {
      return List.of();
    }
    return values.stream()
        .limit(OtepRecordDescriptor.MAX_KEYS)
        .map(value -> value instanceof AttributeValue.Text(String key) ? key : "")
        .toList();
  }

  /**
   * Decodes a record, which may end anywhere.
   *
   * @return null when the record is not valid, or holds neither a span nor attributes
   */
  static @Nullable ThreadRecord decode(
      byte[] bytes, List<String> keys, ThreadDirectory.Known thread) {
    if (bytes.length < OtepRecordDescriptor.ATTRIBUTES_OFFSET
        || bytes[OtepRecordDescriptor.VALID_OFFSET] != VALID) {
      return null;
    }
    // Ids are in the order of W3C, which is that of big-endian numbers; the size is in host order.
    ByteBuffer ids = ByteBuffer.wrap(bytes);
    long traceIdHigh = ids.getLong(OtepRecordDescriptor.TRACE_ID_OFFSET);
    long traceIdLow = ids.getLong(OtepRecordDescriptor.TRACE_ID_OFFSET + Long.BYTES);
    long spanId = ids.getLong(OtepRecordDescriptor.SPAN_ID_OFFSET);
    int size =
        Short.toUnsignedInt(
            ByteBuffer.wrap(bytes)
                .order(ByteOrder.nativeOrder())
                .getShort(OtepRecordDescriptor.ATTRIBUTES_SIZE_OFFSET));
    Map<String, String> attributes =
        attributes(
            bytes, Math.min(OtepRecordDescriptor.ATTRIBUTES_OFFSET + size, bytes.length), keys);
    long rootSpanId = takeLocalRoot(attributes, traceIdLow);
    if ((traceIdHigh | traceIdLow | spanId) == 0 && attributes.isEmpty()) {
      return null;
    }
    return new ThreadRecord(
        thread.tid(),
        thread.name(),
        traceIdHigh,
        traceIdLow,
        spanId,
        rootSpanId,
        Byte.toUnsignedInt(bytes[OtepRecordDescriptor.FLAGS_OFFSET]),
        attributes);
  }

  private static Map<String, String> attributes(byte[] bytes, int end, List<String> keys) {
    Map<String, String> attributes = new LinkedHashMap<>();
    int at = OtepRecordDescriptor.ATTRIBUTES_OFFSET;
    while (at + ENTRY_HEAD_LENGTH <= end) {
      int index = Byte.toUnsignedInt(bytes[at]);
      int length = Byte.toUnsignedInt(bytes[at + 1]);
      int value = at + ENTRY_HEAD_LENGTH;
      if (value + length > end) {
        break;
      }
      if (index < keys.size() && !keys.get(index).isEmpty()) {
        // The last of several entries with one key counts: a writer may append.
        attributes.put(keys.get(index), new String(bytes, value, length, StandardCharsets.UTF_8));
      }
      at = value + length;
    }
    return attributes;
  }

  private static long takeLocalRoot(Map<String, String> attributes, long otherwise) {
    for (String key : LOCAL_ROOT_KEYS) {
      @Nullable String digits = attributes.get(key);
      if (digits != null && isId(digits)) {
        attributes.remove(key);
        return Long.parseUnsignedLong(digits, 16);
      }
    }
    return otherwise;
  }

  private static boolean isId(String digits) {
    return digits.length() == HEX_DIGITS_OF_ID
        && digits.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }
}
