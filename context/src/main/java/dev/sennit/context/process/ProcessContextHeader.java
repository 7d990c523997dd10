/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Layout of the header of the process record (OTEP 4719), at the start of a mapping of its own.
 * Numbers are in host order.
 *
 * <pre>
 *   0            8         12             16               24                32
 *   +------------+---------+--------------+----------------+-----------------+
 *   | signature  | version | payload size | published at   | payload address |
 *   | "OTEL_CTX" | 2       | in bytes     | ns, 0 = in flux| in the publisher|
 *   +------------+---------+--------------+----------------+-----------------+
 * </pre>
 *
 * The time is of CLOCK_BOOTTIME (of the epoch in the draft) and differs after every change, so that
 * a reader that finds the same number before and after has read one version of the rest. The
 * payload is a {@code ProcessContext} message in protobuf, anywhere in the publisher's memory.
 */
public final class ProcessContextHeader {
  /** What the mapping is called, and what its first eight bytes say. */
  public static final String NAME = "OTEL_CTX";

  /** The first eight bytes as a number in host order. */
  public static final long SIGNATURE =
      ByteBuffer.wrap(NAME.getBytes(StandardCharsets.US_ASCII))
          .order(ByteOrder.nativeOrder())
          .getLong();

  /** The version of the draft and of the merged text; 1 was for development. */
  public static final int VERSION = 2;

  public static final int SIGNATURE_OFFSET = 0;
  public static final int VERSION_OFFSET = SIGNATURE_OFFSET + Long.BYTES;
  public static final int PAYLOAD_SIZE_OFFSET = VERSION_OFFSET + Integer.BYTES;
  public static final int PUBLISHED_AT_OFFSET = PAYLOAD_SIZE_OFFSET + Integer.BYTES;
  public static final int PAYLOAD_ADDRESS_OFFSET = PUBLISHED_AT_OFFSET + Long.BYTES;
  public static final int LENGTH = PAYLOAD_ADDRESS_OFFSET + Long.BYTES;

  private static final String MEMFD = "/memfd:" + NAME;
  private static final String NAMED_MEMFD = "[anon_shmem:" + NAME + "]";
  private static final String NAMED_ANONYMOUS = "[anon:" + NAME + "]";

  private ProcessContextHeader() {}

  /**
   * Whether {@code name}, from {@code /proc/PID/maps}, is how a mapping with a header appears:
   * which of the three it is depends on whether the kernel has memfd, names mappings, or both.
   */
  public static boolean isMappingName(String name) {
    return name.startsWith(MEMFD)
        || name.startsWith(NAMED_MEMFD)
        || name.startsWith(NAMED_ANONYMOUS);
  }
}
