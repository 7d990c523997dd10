/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process that publishes its context.
 *
 * @param publishedAt by the clock of its publisher; another means that it published again
 * @param storage how it keeps the records of its threads
 * @param stopped whether its threads are stopped for a moment to be read, and so are read seldom
 * @param threads those that are in a span
 * @param threadsInSpans how many they are, also where some were left out
 * @param otherThreads how many are in none
 * @param problem why its threads cannot be told
 */
public record LiveProcess(
    long pid,
    long publishedAt,
    @Nullable String service,
    @Nullable String instance,
    Map<String, String> resource,
    Map<String, String> attributes,
    @Nullable String storage,
    boolean stopped,
    List<LiveThread> threads,
    int threadsInSpans,
    int otherThreads,
    @Nullable String problem) {

  public LiveProcess {
    resource = Collections.unmodifiableMap(new LinkedHashMap<>(resource));
    attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    threads = List.copyOf(threads);
  }
}
