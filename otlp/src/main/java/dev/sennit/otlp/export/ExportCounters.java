/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.util.Map;
import java.util.Optional;

/**
 * What an exporter has done so far.
 *
 * @param sent messages that the collector has
 * @param resent times that a message went out again because its answer had been lost
 * @param partlyRejected profiles or log records in messages that were sent, which the collector
 *     refused
 * @param dropped messages given up, by reason; every reason is there
 * @param queued messages that wait on disk
 * @param queuedBytes what they take there
 * @param lastError why sending failed most recently, whether or not it has worked since
 */
public record ExportCounters(
    long sent,
    long resent,
    long partlyRejected,
    Map<DropReason, Long> dropped,
    int queued,
    long queuedBytes,
    Optional<String> lastError) {

  public ExportCounters {
    dropped = Map.copyOf(dropped);
  }

  /** Messages given up, for whatever reason. */
  public long droppedInAll() {
    return dropped.values().stream().mapToLong(Long::longValue).sum();
  }
}
