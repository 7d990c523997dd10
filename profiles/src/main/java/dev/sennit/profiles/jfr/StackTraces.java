/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stack traces of a chunk. {@link #find} fills flat arrays with the frames of one, the
 * innermost first.
 */
public final class StackTraces {
  private static final List<String> FRAME =
      List.of("method", "lineNumber", "bytecodeIndex", "type");

  /** Far above the 2048 that HotSpot and async-profiler allow. */
  private static final int MOST_FRAMES = 1 << 20;

  private final Pool pool;
  private final ChunkCursor cursor;

  /** The way through a frame where it stands in the stack trace, as most writers have it. */
  private final @Nullable FieldProgram frame;

  /** The frames that a stack trace refers to by number, as the JMC writer has it. */
  private final @Nullable Pool sharedFrames;

  private final boolean integersOnly;
  private final long[] slots = new long[FRAME.size()];

  private int depth;
  private boolean truncated;

  /** Frame after frame, the fields in the order of {@link #FRAME}. */
  private long[] frames = new long[64 * FRAME.size()];

  StackTraces(ChunkReader reader) throws JfrFormatException {
    cursor = reader.cursor();
    pool = reader.pool("jdk.types.StackTrace", "truncated", "frames");
    @Nullable JfrType type =
        reader.jfrTypes().byName("jdk.types.StackTrace").stream().findFirst().orElse(null);
    JfrType.@Nullable Field field = type == null ? null : type.field("frames");
    @Nullable JfrType frameType =
        field == null || !field.array() ? null : reader.jfrTypes().byId(field.typeId());
    if (field == null || frameType == null) {
      frame = null;
      sharedFrames = null;
    } else if (field.constantPool()) {
      frame = null;
      sharedFrames = new Pool(reader, frameType, FRAME);
    } else {
      frame = FieldProgram.readingWhole(reader.jfrTypes(), frameType, cursor, FRAME);
      sharedFrames = null;
    }
    integersOnly = frame != null && frame.readsIntegers(FRAME.size(), cursor.compressed());
  }

  /** Reads the frames of stack trace {@code id}; false, with no frames, if there is none. */
  public boolean find(long id) throws JfrFormatException {
    depth = 0;
    truncated = false;
    if (!pool.find(id)) {
      return false;
    }
    truncated = pool.booleanValue(0);
    if (frame == null && sharedFrames == null) {
      return true;
    }
    long here = cursor.position();
    cursor.seek(pool.longValue(1));
    int count = readDepth();
    if (frame != null) {
      readFrames(frame, count);
    } else if (sharedFrames != null) {
      findFrames(sharedFrames, count);
    }
    depth = count;
    cursor.seek(here);
    return true;
  }

  private int readDepth() throws JfrFormatException {
    int count = cursor.readCount("frames");
    if (count > MOST_FRAMES) {
      throw cursor.error("a stack trace with " + count + " frames, more than " + MOST_FRAMES);
    }
    int size = count * FRAME.size();
    if (size > frames.length) {
      frames = new long[Math.max(size, 2 * frames.length)];
    }
    return count;
  }

  private void readFrames(FieldProgram program, int count) throws JfrFormatException {
    int size = count * FRAME.size();
    if (integersOnly) {
      cursor.readLongs(frames, size);
      return;
    }
    for (int i = 0; i < size; i += slots.length) {
      program.run(cursor, slots);
      System.arraycopy(slots, 0, frames, i, slots.length);
    }
  }

  private void findFrames(Pool shared, int count) throws JfrFormatException {
    for (int i = 0; i < count; i++) {
      shared.find(cursor.readLong());
      for (int field = 0; field < FRAME.size(); field++) {
        frames[FRAME.size() * i + field] = shared.longValue(field);
      }
    }
  }

  public int size() {
    return pool.size();
  }

  /** The numbers of all stack traces, in no order. */
  public long[] ids() {
    return pool.ids();
  }

  public int depth() {
    return depth;
  }

  /** Whether the writer left out the outermost frames. */
  public boolean truncated() {
    return truncated;
  }

  /** The number of the method, see {@link Methods}. */
  public long method(int frame) {
    return frames[4 * frame];
  }

  public int line(int frame) {
    return (int) frames[4 * frame + 1];
  }

  public int bytecodeIndex(int frame) {
    return (int) frames[4 * frame + 2];
  }

  /** The number of the frame's type, see {@link ChunkReader#frameType}. */
  public long frameType(int frame) {
    return frames[4 * frame + 3];
  }
}
