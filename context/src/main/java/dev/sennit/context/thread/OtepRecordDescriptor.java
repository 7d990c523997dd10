/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * Layout of the record of OTEP 4947, section "Record", which {@code otel_thread_ctx_v1} points at.
 *
 * <pre>
 *   0           16         24      25      26           28
 *   +-----------+----------+-------+-------+------------+---------------------------------------+
 *   | trace id  | span id  | valid | trace | attributes | entries: key index, length, UTF-8 ... |
 *   | (W3C)     | (W3C)    | 0 / 1 | flags | size       |                                       |
 *   +-----------+----------+-------+-------+------------+---------------------------------------+
 * </pre>
 *
 * Ids are bytes in the order of W3C, the size is in host order. The thread that owns the record
 * writes it; a reader must have stopped that thread. The four bytes at 24 are aligned and are
 * written as one word.
 */
public final class OtepRecordDescriptor {
  /** The thread-local variable, a pointer to the record. */
  public static final String SYMBOL = "otel_thread_ctx_v1";

  /** Key of the process record that says that records of this kind exist. */
  public static final String SCHEMA_VERSION_KEY = "threadlocal.schema_version";

  /** Key of the process record whose array translates key indexes. */
  public static final String ATTRIBUTE_KEY_MAP_KEY = "threadlocal.attribute_key_map";

  /**
   * Attribute that holds the local root span, 16 hexadecimal digits, where it is not the low half
   * of the trace id.
   */
  public static final String LOCAL_ROOT_KEY = "sennit.local_root_span_id";

  public static final int TRACE_ID_OFFSET = 0;
  public static final int SPAN_ID_OFFSET = TRACE_ID_OFFSET + 16;
  public static final int VALID_OFFSET = SPAN_ID_OFFSET + Long.BYTES;
  public static final int FLAGS_OFFSET = VALID_OFFSET + 1;
  public static final int ATTRIBUTES_SIZE_OFFSET = FLAGS_OFFSET + 1;
  public static final int ATTRIBUTES_OFFSET = ATTRIBUTES_SIZE_OFFSET + Short.BYTES;

  /** The size that the OTEP recommends not to exceed. */
  public static final int MAX_LENGTH = 640;

  public static final int MAX_ATTRIBUTES_SIZE = MAX_LENGTH - ATTRIBUTES_OFFSET;

  /** Key indexes are single bytes. */
  public static final int MAX_KEYS = 256;

  /** Lengths are single bytes. */
  public static final int MAX_VALUE_LENGTH = 255;

  static final int ENTRY_KEY_OFFSET = 0;
  static final int ENTRY_LENGTH_OFFSET = ENTRY_KEY_OFFSET + 1;
  static final int ENTRY_VALUE_OFFSET = ENTRY_LENGTH_OFFSET + 1;

  private OtepRecordDescriptor() {}
}
