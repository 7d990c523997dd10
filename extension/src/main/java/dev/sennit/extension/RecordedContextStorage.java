/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import dev.sennit.context.thread.ContextApi;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the thread's record at what the thread's context says. A context that holds the same span
 * as the one before, with other baggage for instance, costs a comparison and nothing else.
 */
final class RecordedContextStorage implements ContextStorage {
  /** Whether an SDK makes spans; until then contexts hold at most those of other processes. */
  private static volatile boolean started;

  /** Its context is the application's for good, like the storage that is wrapped. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<SpanNumbers> numbers = ThreadLocal.withInitial(SpanNumbers::new);

  private final ContextStorage delegate;
  private final LocalRootSpans roots;

  RecordedContextStorage(ContextStorage delegate, LocalRootSpans roots) {
    this.delegate = delegate;
    this.roots = roots;
  }

  /** From now on records are kept. */
  static void start() {
    started = true;
  }

  @Override
  public Scope attach(Context toAttach) {
    Scope scope = delegate.attach(toAttach);
    if (!started || scope.equals(Scope.noop())) {
      return scope;
    }
    SpanNumbers own = numbers.get();
    SpanContext now = spanOf(toAttach);
    if (own.isRecorded(now)) {
      return scope;
    }
    record(own, now);
    return new RestoringScope(scope, own);
  }

  @Override
  public @Nullable Context current() {
    return delegate.current();
  }

  @Override
  public Context root() {
    return delegate.root();
  }

  private static SpanContext spanOf(@Nullable Context context) {
    @Nullable Span span = context == null ? null : Span.fromContextOrNull(context);
    return span == null ? SpanContext.getInvalid() : span.getSpanContext();
  }

  private void record(SpanNumbers own, SpanContext span) {
    own.recorded(span);
    if (!span.isValid()) {
      ContextApi.clear();
      return;
    }
    own.read(span);
    ContextApi.set(
        own.traceIdHigh,
        own.traceIdLow,
        own.spanId,
        roots.rootOf(own.spanId),
        span.getTraceFlags().asByte() & 0xFF);
  }

  /**
   * Records what the thread is back to, which is what the storage says and not what was remembered:
   * scopes may be closed in any order.
   */
  private final class RestoringScope implements Scope {
    private final Scope scope;
    private final SpanNumbers opened;

    RestoringScope(Scope scope, SpanNumbers opened) {
      this.scope = scope;
      this.opened = opened;
    }

    @Override
    public void close() {
      scope.close();
      // A scope may be closed by another thread than the one that opened it.
      SpanNumbers own = opened.isOwn() ? opened : numbers.get();
      record(own, spanOf(delegate.current()));
    }
  }
}
