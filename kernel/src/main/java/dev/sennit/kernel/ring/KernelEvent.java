/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.ring;

import dev.sennit.context.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A view of one event in the ring, moved from one to the next. The layout is drawn in {@code
 * events.h}; offsets here follow from one another as there.
 */
public final class KernelEvent {
  static final int TIME = 0;
  static final int PID = TIME + Long.BYTES;
  static final int TID = PID + Integer.BYTES;
  static final int KIND = TID + Integer.BYTES;
  static final int WAY = KIND + 1;
  static final int FLAGS = WAY + 1;
  static final int FAMILY = FLAGS + 1;
  static final int FD = FAMILY + 1;
  static final int CONNECTION = FD + Integer.BYTES;
  static final int SIZE = CONNECTION + Long.BYTES;
  static final int CAPTURED = SIZE + Integer.BYTES;
  static final int LOCAL = CAPTURED + Integer.BYTES;
  static final int REMOTE = LOCAL + 16;
  static final int LOCAL_PORT = REMOTE + 16;
  static final int REMOTE_PORT = LOCAL_PORT + Short.BYTES;
  static final int RESULT = REMOTE_PORT + Short.BYTES;
  static final int TRACE_ID = RESULT + Integer.BYTES;
  static final int SPAN_ID = TRACE_ID + 16;
  static final int PARENT_ID = SPAN_ID + 8;
  static final int TRACE_FLAGS = PARENT_ID + 8;
  static final int OUTCOME = TRACE_FLAGS + 1;
  static final int REQUESTS = OUTCOME + 3;
  static final int SINCE = REQUESTS + Integer.BYTES;

  /** The bytes before what was captured. */
  public static final int HEADER_SIZE = SINCE + Long.BYTES;

  static final int HAS_CONTEXT = 1;
  static final int HAS_PARENT = 2;
  static final int TRUNCATED = 4;
  static final int IN_NONE = 8;
  private static final int UNIX = 1;

  private long address;

  void wrap(long address) {
    this.address = address;
  }

  /** Nanoseconds of CLOCK_MONOTONIC. */
  public long time() {
    return Memory.getLong(address + TIME);
  }

  public int pid() {
    return Memory.getInt(address + PID);
  }

  public int tid() {
    return Memory.getInt(address + TID);
  }

  public EventKind kind() {
    return EventKind.of(Memory.getByte(address + KIND));
  }

  public Way way() {
    return Way.of(Memory.getByte(address + WAY));
  }

  /** -1 where the program does not know it. */
  public int fd() {
    return Memory.getInt(address + FD);
  }

  /** The number of the socket, the same in all processes that have it. */
  public long connection() {
    return Memory.getLong(address + CONNECTION);
  }

  /** How many bytes were moved, captured or not. */
  public int size() {
    return Memory.getInt(address + SIZE);
  }

  public int captured() {
    return Memory.getInt(address + CAPTURED);
  }

  public boolean isTruncated() {
    return (flags() & TRUNCATED) != 0;
  }

  public boolean isUnix() {
    return Memory.getByte(address + FAMILY) == UNIX;
  }

  public InetSocketAddress local() {
    return address(LOCAL, LOCAL_PORT);
  }

  public InetSocketAddress remote() {
    return address(REMOTE, REMOTE_PORT);
  }

  /** Of a line or a name: the first eight bytes of the thread's name, as the memory has them. */
  public long threadNameLow() {
    return Memory.getLong(address + LOCAL);
  }

  /** Of a line or a name: the last eight bytes of the thread's name, padded with zeros. */
  public long threadNameHigh() {
    return Memory.getLong(address + LOCAL + Long.BYTES);
  }

  /** Of a line or a name: the thread's name; empty of a thread that has ended. */
  public String threadName() {
    byte[] name = Memory.getBytes(address + LOCAL, 16);
    int size = 0;
    while (size < name.length && name[size] != 0) {
      size++;
    }
    return new String(name, 0, size, StandardCharsets.UTF_8);
  }

  public int localPort() {
    return Short.toUnsignedInt(Memory.getShort(address + LOCAL_PORT));
  }

  public int remotePort() {
    return Short.toUnsignedInt(Memory.getShort(address + REMOTE_PORT));
  }

  /** A negative error number; of a fork, the child; of a request, what its parent was. */
  public int result() {
    return Memory.getInt(address + RESULT);
  }

  /** Whether the ids are set. */
  public boolean hasContext() {
    return (flags() & HAS_CONTEXT) != 0;
  }

  /** Whether the parent came with the request. */
  public boolean hasParent() {
    return (flags() & HAS_PARENT) != 0;
  }

  /** Of a line: whether its process keeps records, and that of its thread names no span. */
  public boolean isInNone() {
    return (flags() & IN_NONE) != 0;
  }

  /** The first eight bytes of the trace id as a number. */
  public long traceIdHigh() {
    return number(TRACE_ID);
  }

  /** The last eight bytes of the trace id as a number. */
  public long traceIdLow() {
    return number(TRACE_ID + 8);
  }

  public long spanIdNumber() {
    return number(SPAN_ID);
  }

  public long parentIdNumber() {
    return number(PARENT_ID);
  }

  /** Ids are bytes in the order in which people read them. */
  private long number(int offset) {
    long value = Memory.getLong(address + offset);
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
  }

  public byte[] traceId() {
    return Memory.getBytes(address + TRACE_ID, 16);
  }

  public byte[] spanId() {
    return Memory.getBytes(address + SPAN_ID, 8);
  }

  public byte[] parentId() {
    return Memory.getBytes(address + PARENT_ID, 8);
  }

  public byte traceFlags() {
    return Memory.getByte(address + TRACE_FLAGS);
  }

  public Outcome outcome() {
    return Outcome.of(Memory.getByte(address + OUTCOME));
  }

  /** Where the parent of a request came from. */
  public Outcome parentSource() {
    return Outcome.of(result());
  }

  /** How many requests the socket has sent. */
  public int requests() {
    return Memory.getInt(address + REQUESTS);
  }

  /** When the connection was first seen. */
  public long since() {
    return Memory.getLong(address + SINCE);
  }

  public byte[] payload() {
    return Memory.getBytes(address + HEADER_SIZE, captured());
  }

  /** Copies what was captured into an array that is large enough. Answers how many bytes. */
  public int payload(byte[] target) {
    int size = captured();
    MemorySegment.copy(
        Memory.EVERYWHERE, ValueLayout.JAVA_BYTE, address + HEADER_SIZE, target, 0, size);
    return size;
  }

  /** The ids as people write them: {@code 00-TRACE-SPAN-FLAGS}. */
  public String traceparent() {
    HexFormat hex = HexFormat.of();
    return "00-"
        + hex.formatHex(traceId())
        + "-"
        + hex.formatHex(spanId())
        + "-"
        + hex.toHexDigits(traceFlags());
  }

  private int flags() {
    return Memory.getByte(address + FLAGS);
  }

  private InetSocketAddress address(int bytes, int port) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(Memory.getBytes(address + bytes, 16)),
          Short.toUnsignedInt(Memory.getShort(address + port)));
    } catch (UnknownHostException e) {
      throw new AssertionError("16 bytes are an address", e);
    }
  }
}
