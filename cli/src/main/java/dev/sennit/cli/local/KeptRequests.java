/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.sennit.intake.Answer;
import dev.sennit.intake.TelemetrySink;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Carries what is observed here to the store, in a thread of its own, for whoever observes must not
 * wait. What finds no room is dropped and counted.
 */
final class KeptRequests implements AutoCloseable {
  private static final long MOST_BYTES = 64 << 20;

  @SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
  private record Request(boolean spans, byte[] bytes) {}

  private final TelemetrySink sink;
  private final LongAdder dropped = new LongAdder();
  private final Queue<Request> waiting = new ArrayDeque<>();
  private final Thread thread;
  private long waitingBytes;
  private boolean busy;
  private boolean closed;

  KeptRequests(TelemetrySink sink) {
    this.sink = sink;
    thread = Thread.ofPlatform().daemon().name("sennit-keep").start(this::keepUntilClosed);
  }

  /** A request of OTLP for spans, as it is exported. */
  void spans(byte[] request) {
    add(new Request(true, request));
  }

  /** A request of OTLP for log records. */
  void records(byte[] request) {
    add(new Request(false, request));
  }

  private synchronized void add(Request request) {
    if (closed || waitingBytes + request.bytes.length > MOST_BYTES) {
      dropped.increment();
      return;
    }
    waiting.add(request);
    waitingBytes += request.bytes.length;
    notifyAll();
  }

  /** Requests that found no room. */
  long dropped() {
    return dropped.sum();
  }

  private void keepUntilClosed() {
    for (@Nullable Request request = next(); request != null; request = next()) {
      try {
        keep(request);
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException("what Sennit writes is not OTLP", e);
      } catch (InterruptedException e) {
        dropped.increment();
      }
    }
  }

  private synchronized @Nullable Request next() {
    busy = false;
    notifyAll();
    while (waiting.isEmpty()) {
      if (closed) {
        return null;
      }
      try {
        wait();
      } catch (InterruptedException e) {
        // This thread ends when all is kept.
      }
    }
    Request request = waiting.remove();
    waitingBytes -= request.bytes.length;
    busy = true;
    return request;
  }

  private void keep(Request request) throws InvalidProtocolBufferException, InterruptedException {
    while (true) {
      Answer answer =
          request.spans
              ? sink.traces(ExportTraceServiceRequest.parseFrom(request.bytes))
              : sink.logs(ExportLogsServiceRequest.parseFrom(request.bytes));
      if (!(answer instanceof Answer.Later later)) {
        return;
      }
      Thread.sleep(later.after());
    }
  }

  /** Waits until all that was handed over is in the store. */
  synchronized void flush() throws InterruptedException {
    while (busy || !waiting.isEmpty()) {
      wait();
    }
  }

  /** Keeps what waits. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
