/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way from event to event, by their sizes. The size of an event counts all its bytes; its type
 * follows it.
 */
final class EventWalk {
  private final JfrChunk chunk;
  private final ChunkCursor cursor;
  private boolean warned;
  private int visited;

  EventWalk(JfrChunk chunk, ChunkCursor cursor) {
    this.chunk = chunk;
    this.cursor = cursor;
  }

  void forEach(Subscriptions subscriptions, EventVisitor visitor) throws IOException {
    for (long at = ChunkHeader.SIZE; at < cursor.end(); ) {
      at = forEach(at, Integer.MAX_VALUE, subscriptions, visitor);
    }
  }

  /**
   * Passes over the events from {@code start} on, until {@code most} were visited.
   *
   * @return where the next event starts, or the end
   */
  long forEach(long start, int most, Subscriptions subscriptions, EventVisitor visitor)
      throws IOException {
    long end = cursor.end();
    visited = 0;
    long at = start;
    while (at < end && visited < most) {
      at = visit(at, subscriptions, visitor);
    }
    return at;
  }

  /**
   * Visits the event at {@code start} if it is asked for. By itself, for the JVM compiles a loop
   * twice, once to enter it in the middle, with all that it does.
   *
   * @return where the next event starts, or the end
   */
  private long visit(long start, Subscriptions subscriptions, EventVisitor visitor)
      throws IOException {
    long next = enter(start);
    if (next < 0) {
      return cursor.end();
    }
    Subscriptions.@Nullable Subscription wanted = subscriptions.get(cursor.readLong());
    if (wanted != null) {
      EventLayout layout = wanted.layout();
      layout.readEvent(wanted.program(), wanted.shape(), cursor);
      if (cursor.position() > next) {
        throw tooShort(layout, start, next);
      }
      visitor.event(layout);
      visited++;
    }
    return next;
  }

  private JfrFormatException tooShort(EventLayout layout, long start, long next) {
    return cursor.error(
        start,
        "an event of type "
            + layout.eventName()
            + " has "
            + (next - start)
            + " bytes but its fields need "
            + (cursor.position() - start));
  }

  /** Where events of a type start, in the order of the file. */
  List<Long> all(long type) throws JfrFormatException {
    List<Long> found = new ArrayList<>();
    long next;
    for (long start = ChunkHeader.SIZE; start < cursor.end(); start = next) {
      next = enter(start);
      if (next < 0) {
        break;
      }
      if (cursor.readLong() == type) {
        found.add(start);
      }
    }
    return found;
  }

  /** Whether an event of this type is at {@code start}, with all its bytes. */
  boolean isComplete(long start, long type) throws JfrFormatException {
    long room = cursor.end() - start;
    if (start < ChunkHeader.SIZE || room < Integer.BYTES + Long.BYTES) {
      return false;
    }
    cursor.seek(start);
    int size = cursor.readInt();
    return size > 1 && size <= room && cursor.readLong() == type;
  }

  /** Where the last event of a type starts, or 0. */
  long last(long type) throws JfrFormatException {
    List<Long> found = all(type);
    return found.isEmpty() ? 0 : found.getLast();
  }

  /**
   * Puts the cursor on the type of the event at {@code start}.
   *
   * @return where the event ends; -1 if a chunk that is not finished goes no further
   */
  private long enter(long start) throws JfrFormatException {
    cursor.seek(start);
    long end = cursor.end();
    // Fewer bytes than this can hold a size only if they are the tail of a cut chunk.
    int size = end - start < Integer.BYTES + 1 && chunk.partial() ? 0 : cursor.readInt();
    if (size > 1 && size <= end - start) {
      return start + size;
    }
    if (!chunk.partial()) {
      throw cursor.error(
          start, "an event of " + size + " bytes where " + (end - start) + " bytes remain");
    }
    if (!warned) {
      warned = true;
      chunk
          .file()
          .warn(
              chunk.offset() + start,
              (end - start) + " bytes of an event that is not complete are left out");
    }
    return -1;
  }
}
