/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.thread.ContextStorageMode;
import dev.sennit.context.thread.OtepRecordDescriptor;

/**
 * Reads what the threads of another process are doing, in whichever way that process offers: the
 * ring of mode {@code otel}, or the thread-local records of OTEP 4947. What it finds at the other
 * end never makes it throw. For use by one thread at a time, which may be virtual.
 *
 * <p>It must be told what the process publishes, and {@linkplain #update told again} when that
 * changes: where the ring is and what attribute keys mean is written there.
 */
public final class ThreadRecordReader implements AutoCloseable {
  private final ProcessMemory memory;
  private Kind kind;
  private ThreadSource source;

  private enum Kind {
    PROFILER,
    OTEP,
    RING
  }

  private ThreadRecordReader(ProcessMemory memory, ProcessContext context) {
    this.memory = memory;
    this.kind = kindOf(context);
    this.source = open(kind, context);
  }

  /**
   * A reader for the threads of {@code pid}.
   *
   * @param context what the process publishes; an empty one when it publishes nothing
   */
  public static ThreadRecordReader open(int pid, ProcessContext context) {
    return open(ProcessMemory.of(pid), context);
  }

  /** A reader that reads memory in the given way; it closes {@code memory} in the end. */
  static ThreadRecordReader open(ProcessMemory memory, ProcessContext context) {
    return new ThreadRecordReader(memory, context);
  }

  /** Reads all threads that are in a span. */
  public ThreadReading read() {
    return source.read();
  }

  /**
   * Reads those of {@code tids} that are in a span.
   *
   * @param tids as this PID namespace numbers them
   */
  public ThreadReading read(int... tids) {
    return source.read(tids.clone());
  }

  /** Takes note of what the process publishes now. */
  public void update(ProcessContext context) {
    Kind newKind = kindOf(context);
    if (newKind == kind) {
      source.update(context);
      return;
    }
    source.close();
    kind = newKind;
    source = open(newKind, context);
  }

  /**
   * Whether each read stops every thread of the process for some microseconds; such reads should be
   * rare.
   */
  public boolean stopsThreads() {
    return source.stopsThreads();
  }

  @Override
  public void close() {
    source.close();
    memory.close();
  }

  private static Kind kindOf(ProcessContext context) {
    if (context.attributes().get(ContextStorageMode.PROCESS_KEY)
            instanceof AttributeValue.Text(String mode)
        && mode.equals(ContextStorageMode.PROFILER.optionValue())) {
      return Kind.PROFILER;
    }
    return context.attributes().containsKey(OtepRecordDescriptor.SCHEMA_VERSION_KEY)
        ? Kind.OTEP
        : Kind.RING;
  }

  private ThreadSource open(Kind newKind, ProcessContext context) {
    return switch (newKind) {
      case PROFILER -> new ClosedThreads(memory.pid());
      case OTEP -> new OtepReader(memory, context);
      case RING -> new RingReader(memory, context);
    };
  }
}
