/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store.write;

import dev.sennit.store.write.Rows.FrameRow;
import dev.sennit.store.write.Rows.LogRow;
import dev.sennit.store.write.Rows.ProcessRow;
import dev.sennit.store.write.Rows.ProfileRows;
import dev.sennit.store.write.Rows.SampleRow;
import dev.sennit.store.write.Rows.SpanRow;
import dev.sennit.store.write.Rows.StackRow;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Divides a batch that is too large for one transaction. */
final class Pieces {
  private final long most;
  private final List<Batch> pieces = new ArrayList<>();
  private Batch current = new Batch(0);
  private long bytes;

  private Pieces(long most) {
    this.most = most;
    pieces.add(current);
  }

  /** Batches of so many stored bytes, or of a single row; the same ones each time. */
  static List<Batch> of(Batch batch, long most) {
    return batch.storedBytes() <= most ? List.of(batch) : new Pieces(most).divide(batch);
  }

  private List<Batch> divide(Batch batch) {
    for (ProcessRow process : batch.processes.values()) {
      room(StoredBytes.of(process)).processes.put(process.processId(), process);
    }
    for (SpanRow span : batch.spans) {
      room(StoredBytes.of(span)).spans.add(span);
    }
    for (LogRow line : batch.logs) {
      room(StoredBytes.of(line)).logs.add(line);
    }
    for (StackRow stack : batch.stacks.values()) {
      room(StoredBytes.of(stack)).stacks.put(stack.stackId(), stack);
    }
    for (FrameRow frame : batch.frames.values()) {
      room(StoredBytes.of(frame)).frames.put(frame.frameId(), frame);
    }
    batch.profiles.forEach(this::divide);
    return pieces;
  }

  private void divide(ProfileRows profile) {
    @Nullable Batch last = null;
    int parts = 0;
    List<SampleRow> samples = new ArrayList<>();
    for (SampleRow sample : profile.samples()) {
      Batch piece = room(StoredBytes.of(sample));
      if (piece != last) {
        // Each part has an id of its own, by which it is known when it comes again.
        samples = new ArrayList<>();
        String id = profile.profileId() + HexFormat.of().toHexDigits((long) parts++);
        piece.profiles.add(new ProfileRows(profile.profileId() == null ? null : id, samples));
        last = piece;
      }
      samples.add(sample);
    }
  }

  private Batch room(long wanted) {
    if (bytes > 0 && bytes + wanted > most) {
      current = new Batch(0);
      pieces.add(current);
      bytes = 0;
    }
    bytes += wanted;
    return current;
  }
}
