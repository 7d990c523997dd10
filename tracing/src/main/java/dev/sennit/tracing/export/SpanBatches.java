/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.export;

import dev.sennit.tracing.span.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gathers spans into requests: one goes out when enough have come, or when {@link #flush} is
 * called, which its owner does every so often. What is gathered is bounded by the size of one
 * request.
 */
public final class SpanBatches implements Consumer<Span> {
  private static final int MOST = 512;

  private final SpanRequest request = new SpanRequest();
  private final Consumer<byte[]> exporter;
  private List<Span> gathered = new ArrayList<>(MOST);
  private long count;

  /**
   * @param exporter takes requests over; it must not wait
   */
  public SpanBatches(Consumer<byte[]> exporter) {
    this.exporter = exporter;
  }

  @Override
  public synchronized void accept(Span span) {
    gathered.add(span);
    count++;
    if (gathered.size() >= MOST) {
      flush();
    }
  }

  /** Hands over what has been gathered. */
  public synchronized void flush() {
    if (gathered.isEmpty()) {
      return;
    }
    List<Span> spans = gathered;
    gathered = new ArrayList<>(MOST);
    exporter.accept(request.of(spans));
  }

  /** How many spans have come so far. */
  public synchronized long count() {
    return count;
  }
}
