/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import dev.sennit.context.memory.Libc;
import dev.sennit.context.thread.ContextSnapshot;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel's programs are told, laid out as they read it ({@code telling.h}): a head, and
 * the plaintext behind it. It also has what a call must remember until it is over, for the same
 * thread uses it meanwhile and nobody else.
 *
 * <pre>
 *   0  long      session
 *   8  byte[16]  mark of a record
 *  24  int       descriptor of the socket, or -1
 *  28  int       what is done
 *  32  byte[]    plaintext
 * </pre>
 */
final class Telling {
  static final int READS = 1;
  static final int WRITES = 2;
  static final int SHAKES_HANDS = 3;

  static final int PLAINTEXT = 32;

  /** As much as a record holds, and as much as the programs look at. */
  static final int MOST = 16_384;

  private static final int MARK = 8;
  private static final int DESCRIPTOR = 24;
  private static final int DOING = 28;

  /** Where in a record the mark is: in a hello these bytes are random. */
  private static final int MARK_START = 11;

  private static final int MARK_SIZE = 16;

  /** No process has a descriptor of this number: the kernel limits them to less. */
  private static final int NOBODYS = 0x5e4e4954;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

  final byte[] bytes = new byte[PLAINTEXT + MOST];
  final ContextSnapshot context = new ContextSnapshot();
  private final MemorySegment segment = MemorySegment.ofArray(bytes);

  @Nullable TlsSession session;

  /** Whose the bytes are, where they had to wait, and the buffer that says so. */
  @Nullable ContextSnapshot carried;

  @Nullable ByteBuffer first;

  /** What an engine was given to encrypt, and how much of it is in {@link #bytes}. */
  ByteBuffer @Nullable [] sources;

  int sourcesOffset;
  int sourcesLength;
  int size;

  /** What it was given instead, with a header put in {@link #place} bytes from the start. */
  byte @Nullable [] replacement;

  int place;

  void plaintext(TlsSession session, int descriptor, int doing, int count) {
    write(session.number(), descriptor, doing, PLAINTEXT + count);
  }

  /**
   * Names a record of a handshake, so that the socket that carries it is known to be this one's.
   */
  boolean record(TlsSession session, ByteBuffer source, int start, int end) {
    if (end - start < MARK_START + MARK_SIZE) {
      return false;
    }
    source.get(start + MARK_START, bytes, MARK, MARK_SIZE);
    write(session.number(), -1, SHAKES_HANDS, PLAINTEXT);
    return true;
  }

  void announce() {
    write(0, -1, 0, PLAINTEXT);
  }

  private void write(long session, int descriptor, int doing, int size) {
    LONGS.set(bytes, 0, session);
    INTS.set(bytes, DESCRIPTOR, descriptor);
    INTS.set(bytes, DOING, doing);
    Libc.writeAtOnce(NOBODYS, segment, size);
  }

  void forget() {
    session = null;
    carried = null;
    first = null;
    sources = null;
    replacement = null;
    size = 0;
  }
}
