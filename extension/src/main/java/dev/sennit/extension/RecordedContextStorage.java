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
  /** Its context is the application's for good, like the storage that is wrapped. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<SpanNumbers> numbers = ThreadLocal.withInitial(SpanNumbers::new);

  private final ContextStorage delegate;
  private final LocalRootSpans roots;

  RecordedContextStorage(ContextStorage delegate, LocalRootSpans roots) {
    this.delegate = delegate;
    this.roots = roots;
  }

  @Override
  public Scope attach(Context toAttach) {
    SpanContext before = spanOf(delegate.current());
    Scope scope = delegate.attach(toAttach);
    if (scope.equals(Scope.noop())) {
      return scope;
    }
    SpanContext now = spanOf(toAttach);
    if (isSame(before, now)) {
      return scope;
    }
    record(now);
    return new RestoringScope(scope);
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

  private static boolean isSame(SpanContext one, SpanContext other) {
    return one.getSpanId().equals(other.getSpanId()) && one.getTraceId().equals(other.getTraceId());
  }

  private void record(SpanContext span) {
    if (!span.isValid()) {
      ContextApi.clear();
      return;
    }
    SpanNumbers ids = numbers.get();
    ids.read(span);
    ContextApi.set(
        ids.traceIdHigh,
        ids.traceIdLow,
        ids.spanId,
        roots.rootOf(ids.spanId),
        span.getTraceFlags().asByte() & 0xFF);
  }

  /**
   * Records what the thread is back to, which is what the storage says and not what was remembered:
   * scopes may be closed in any order.
   */
  private final class RestoringScope implements Scope {
    private final Scope scope;

    RestoringScope(Scope scope) {
      this.scope = scope;
    }

    @Override
    public void close() {
      scope.close();
      record(spanOf(delegate.current()));
    }
  }
}
