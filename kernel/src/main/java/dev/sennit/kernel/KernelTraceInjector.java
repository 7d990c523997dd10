/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.libbpf.BpfMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Optional;

/** The contexts of threads, in the map that the programs look into. */
final class KernelTraceInjector implements TraceInjector {
  /** The offsets of {@code struct trace_context}. */
  static final int TRACE_ID = 0;

  static final int SPAN_ID = TRACE_ID + 16;
  static final int PARENT_ID = SPAN_ID + 8;
  static final int FLAGS = PARENT_ID + 8;
  static final int AMBIGUOUS = FLAGS + 1;
  static final int OPEN = AMBIGUOUS + 1;
  static final int CONNECTION = FLAGS + 8;
  static final int TIME = CONNECTION + 8;

  private final BpfMap contexts;
  private final boolean injects;

  KernelTraceInjector(BpfMap contexts, boolean injects) {
    this.contexts = contexts;
    this.injects = injects;
  }

  @Override
  public void setTraceContext(int pid, int tid, TraceIds ids) {
    ByteBuffer context = ByteBuffer.allocate(contexts.valueSize()).order(ByteOrder.nativeOrder());
    context.put(TRACE_ID, HexFormat.of().parseHex(ids.traceId()));
    context.put(SPAN_ID, HexFormat.of().parseHex(ids.spanId()));
    context.put(FLAGS, ids.flags());
    context.putShort(OPEN, (short) 1);
    context.putLong(TIME, System.nanoTime());
    contexts.put(key(pid, tid), context.array());
  }

  @Override
  public boolean clearTraceContext(int pid, int tid) {
    byte[] key = key(pid, tid);
    boolean open = contexts.get(key).filter(KernelTraceInjector::isOpen).isPresent();
    return contexts.remove(key) && open;
  }

  @Override
  public Optional<TraceIds> getTraceContext(int pid, int tid) {
    return contexts
        .get(key(pid, tid))
        .filter(KernelTraceInjector::isOpen)
        .map(
            context ->
                new TraceIds(
                    HexFormat.of().formatHex(context, TRACE_ID, SPAN_ID),
                    HexFormat.of().formatHex(context, SPAN_ID, PARENT_ID),
                    context[FLAGS]));
  }

  @Override
  public boolean supportsInjection() {
    return injects;
  }

  /** The entry of a thread stays when its request is answered. */
  private static boolean isOpen(byte[] context) {
    return ByteBuffer.wrap(context).order(ByteOrder.nativeOrder()).getShort(OPEN) != 0;
  }

  private static byte[] key(int pid, int tid) {
    return ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putInt(pid).putInt(tid).array();
  }
}
