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
  private static final String NAME = "jdk.types.StackTrace";
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
    pool = reader.pool(NAME, "truncated", "frames");
    @Nullable JfrType type = reader.jfrTypes().byName(NAME).stream().findFirst().orElse(null);
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

  /**
   * How many compressed integers a frame has, if a type is that of stack traces and they consist of
   * a flag and frames; else -1.
   */
  static int numbersOfFrame(JfrTypes types, JfrType type, ChunkCursor cursor)
      throws JfrFormatException {
    if (!cursor.compressed() || !type.name().equals(NAME) || type.fields().size() != 2) {
      return -1;
    }
    JfrType.Field flag = type.fields().get(0);
    JfrType.Field frames = type.fields().get(1);
    @Nullable JfrType flagType = types.byId(flag.typeId());
    @Nullable JfrType frameType = types.byId(frames.typeId());
    if (flagType == null || flagType.kind() != FieldKind.BOOLEAN || frameType == null) {
      return -1;
    }
    boolean plain = !flag.array() && !flag.constantPool() && !frames.constantPool();
    return plain && frames.array()
        ? FieldProgram.skipping(types, frameType, cursor).skippedVarints()
        : -1;
  }

  /** The slot of a stack trace, or -1. Slots are small numbers, and good for an array. */
  public int slot(long id) {
    return pool.slot(id);
  }

  /** All slots are below this. */
  public int slots() {
    return pool.slots();
  }

  /**
   * The first half of 128 bits that stand for the frames and the flag of a stack trace. Where both
   * halves are 0 there are none; two stack traces of which they are the same are the same, as long
   * as the numbers in them mean the same.
   */
  public long fingerprintHigh(int slot) {
    return pool.fingerprintHigh(slot);
  }

  public long fingerprintLow(int slot) {
    return pool.fingerprintLow(slot);
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
