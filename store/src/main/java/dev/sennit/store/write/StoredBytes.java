/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.write.Rows.EventRow;
import dev.sennit.store.write.Rows.FrameRow;
import dev.sennit.store.write.Rows.LinkRow;
import dev.sennit.store.write.Rows.LogRow;
import dev.sennit.store.write.Rows.ProcessRow;
import dev.sennit.store.write.Rows.ProfileRows;
import dev.sennit.store.write.Rows.SampleRow;
import dev.sennit.store.write.Rows.SpanRow;
import dev.sennit.store.write.Rows.StackRow;
import org.jspecify.annotations.Nullable;

/**
 * What rows take in the log of changes at most, where nothing is compressed. Text counts for every
 * row, also if all of a request share it.
 */
final class StoredBytes {
  /** Numbers, ids, the lengths of texts and what says which are absent, with something to spare. */
  private static final long ROW = 250;

  private StoredBytes() {}

  static long of(Batch batch) {
    long sum = 0;
    for (ProcessRow process : batch.processes.values()) {
      sum += of(process);
    }
    for (SpanRow span : batch.spans) {
      sum += of(span);
    }
    for (LogRow line : batch.logs) {
      sum += of(line);
    }
    for (StackRow stack : batch.stacks.values()) {
      sum += of(stack);
    }
    for (FrameRow frame : batch.frames.values()) {
      sum += of(frame);
    }
    for (ProfileRows profile : batch.profiles) {
      for (SampleRow sample : profile.samples()) {
        sum += of(sample);
      }
    }
    return sum;
  }

  static long of(ProcessRow row) {
    return ROW
        + text(row.service())
        + text(row.instance())
        + text(row.host())
        + text(row.resource());
  }

  static long of(SpanRow row) {
    long sum =
        ROW
            + text(row.service())
            + text(row.name())
            + text(row.peer())
            + text(row.statusMessage())
            + text(row.attributes())
            + text(row.scope())
            + text(row.traceState());
    for (EventRow event : row.events()) {
      sum += ROW + text(event.name()) + text(event.attributes());
    }
    for (LinkRow link : row.links()) {
      sum += ROW + text(link.attributes());
    }
    return sum;
  }

  static long of(LogRow row) {
    return ROW
        + text(row.service())
        + text(row.severityText())
        + text(row.eventName())
        + text(row.body())
        + text(row.attributes())
        + text(row.threadName())
        + text(row.scope());
  }

  static long of(StackRow row) {
    return ROW + (long) Long.BYTES * row.frameIds().size();
  }

  static long of(FrameRow row) {
    return ROW + text(row.name()) + text(row.file()) + text(row.kind());
  }

  static long of(SampleRow row) {
    return ROW
        + text(row.type())
        + text(row.unit())
        + text(row.service())
        + text(row.threadName())
        + text(row.attributes());
  }

  /** The length of text in UTF-8. */
  private static long text(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character >= 0x80) {
        // Half of a pair is two of the pair's four bytes, so this is too much for it.
        bytes += character < 0x800 ? 1 : 2;
      }
    }
    return bytes;
  }
}
