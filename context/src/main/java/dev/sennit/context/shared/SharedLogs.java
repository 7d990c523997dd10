/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.shared;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets the agent send logs through the exporter of an SDK that sends to the same place, and so over
 * its connection: the extension, which the SDK knows, offers the exporter, and the agent asks for
 * it. Nobody keeps the other: each request asks anew, and an exporter goes with its class loader.
 */
public final class SharedLogs {
  /** Its argument: an array of {@link LogDestination#key} and the request. */
  private static final String EXPORT = "logs.export";

  private static final Map<List<String>, Function<byte[], @Nullable Future<Boolean>>> OFFERS =
      new ConcurrentHashMap<>();

  private SharedLogs() {}

  /**
   * Offers an exporter to the other copies, in place of an earlier one to the same destination.
   *
   * @param exporter takes an {@code ExportLogsServiceRequest} and says later whether the collector
   *     has it; null if it does not take the request at all
   */
  public static void offer(
      LogDestination destination, Function<byte[], @Nullable Future<Boolean>> exporter) {
    OFFERS.put(destination.key(), exporter);
    Rendezvous.answer(EXPORT, SharedLogs::answer);
  }

  private static @Nullable Object answer(Object argument) {
    Object[] parts = (Object[]) argument;
    @Nullable Function<byte[], @Nullable Future<Boolean>> exporter = OFFERS.get((List<?>) parts[0]);
    return exporter == null ? null : exporter.apply((byte[]) parts[1]);
  }

  /**
   * Hands a request to an exporter of another copy.
   *
   * @return what comes of it: true when the collector has it, false when that is not known; null if
   *     there is no exporter to this destination, or none that takes the request
   */
  @SuppressWarnings("unchecked") // by the question's agreement
  public static @Nullable Future<Boolean> export(LogDestination destination, byte[] request) {
    Object[] argument = {destination.key(), request};
    for (BiFunction<String, Object, @Nullable Object> other : Rendezvous.others()) {
      if (other.apply(EXPORT, argument) instanceof Future<?> outcome) {
        return (Future<Boolean>) outcome;
      }
    }
    return null;
  }
}
