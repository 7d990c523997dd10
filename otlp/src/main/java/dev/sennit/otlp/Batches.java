/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Gathers what is to be exported into requests: one goes out when enough have come, or when {@link
 * #flush} is called, which its owner does every so often. What is gathered is bounded by the size
 * of one request.
 *
 * @param <T> spans, or log records
 */
public final class Batches<T> implements Consumer<T> {
  private static final int MOST = 512;

  private final Function<List<T>, byte[]> request;
  private final Consumer<byte[]> exporter;
  private List<T> gathered = new ArrayList<>(MOST);
  private long count;

  /**
   * @param request makes a request of them; it is called by one thread at a time
   * @param exporter takes requests over; it must not wait
   */
  public Batches(Function<List<T>, byte[]> request, Consumer<byte[]> exporter) {
    this.request = request;
    this.exporter = exporter;
  }

  @Override
  public synchronized void accept(T element) {
    gathered.add(element);
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
    List<T> elements = gathered;
    gathered = new ArrayList<>(MOST);
    exporter.accept(request.apply(elements));
  }

  /** How many have come so far. */
  public synchronized long count() {
    return count;
  }
}
