/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.write.Rows.FrameRow;
import dev.sennit.store.write.Rows.LogRow;
import dev.sennit.store.write.Rows.ProcessRow;
import dev.sennit.store.write.Rows.ProfileRows;
import dev.sennit.store.write.Rows.SpanRow;
import dev.sennit.store.write.Rows.StackRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of one request, until they are written; they are written together or not at all. */
public final class Batch {
  /** What a row takes beside its text. */
  private static final long ROW_BYTES = 200;

  private final long requestBytes;
  private long storedBytes = -1;
  private long rejected;
  private String reason = "";

  final Map<Long, ProcessRow> processes = new HashMap<>();
  final List<SpanRow> spans = new ArrayList<>();
  final List<LogRow> logs = new ArrayList<>();
  final List<ProfileRows> profiles = new ArrayList<>();
  final Map<Long, StackRow> stacks = new HashMap<>();
  final Map<Long, FrameRow> frames = new HashMap<>();

  Batch(long requestBytes) {
    this.requestBytes = requestBytes;
  }

  /** About what it takes of the heap. */
  long bytes() {
    long rows = spans.size() + logs.size() + samples() + stacks.size() + frames.size();
    return 2 * requestBytes + ROW_BYTES * (1 + rows);
  }

  /** What its rows take in the log of changes at most; to be asked when it is complete. */
  long storedBytes() {
    if (storedBytes < 0) {
      storedBytes = StoredBytes.of(this);
    }
    return storedBytes;
  }

  /** Rejects rows that take more than that each: they would not fit into any transaction. */
  void rejectLargerThan(long most) {
    if (storedBytes() <= most) {
      return;
    }
    long before = spans.size() + logs.size() + samples();
    spans.removeIf(row -> StoredBytes.of(row) > most);
    logs.removeIf(row -> StoredBytes.of(row) > most);
    profiles.forEach(profile -> profile.samples().removeIf(row -> StoredBytes.of(row) > most));
    processes.values().removeIf(row -> StoredBytes.of(row) > most);
    stacks.values().removeIf(row -> StoredBytes.of(row) > most);
    frames.values().removeIf(row -> StoredBytes.of(row) > most);
    long after = spans.size() + logs.size() + samples();
    if (after < before) {
      reject("a row of more than " + most + " bytes is too large for the store");
      rejected += before - after - 1;
    }
    storedBytes = -1;
  }

  long samples() {
    return profiles.stream().mapToLong(profile -> profile.samples().size()).sum();
  }

  void reject(String why) {
    rejected++;
    if (reason.isEmpty()) {
      reason = why;
    }
  }

  /** How many spans, log records or profiles of the request are not in it. */
  public long rejected() {
    return rejected;
  }

  /** Why the first of them is not. */
  public String reason() {
    return reason;
  }
}
