/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.Arrays;
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
  private final @Nullable FieldProgram frame;
  private final boolean plainFrames;
  private final long[] slots = new long[FRAME.size()];

  private int depth;
  private boolean truncated;
  private long[] methods = new long[64];
  private int[] lines = new int[64];
  private int[] bytecodeIndexes = new int[64];
  private long[] types = new long[64];

  StackTraces(ChunkReader reader) throws JfrFormatException {
    cursor = reader.cursor();
    pool = reader.pool("jdk.types.StackTrace", "truncated", "frames");
    @Nullable JfrType type =
        reader.jfrTypes().byName("jdk.types.StackTrace").stream().findFirst().orElse(null);
    JfrType.@Nullable Field frames = type == null ? null : type.field("frames");
    @Nullable JfrType frameType =
        frames == null || !frames.array() || frames.constantPool()
            ? null
            : reader.jfrTypes().byId(frames.typeId());
    frame =
        frameType == null
            ? null
            : FieldProgram.readingWhole(reader.jfrTypes(), frameType, cursor, FRAME);
    plainFrames = frame != null && frame.readsLongs(FRAME.size());
  }

  /** Reads the frames of stack trace {@code id}; false, with no frames, if there is none. */
  public boolean find(long id) throws JfrFormatException {
    depth = 0;
    truncated = false;
    if (!pool.find(id)) {
      return false;
    }
    truncated = pool.booleanValue(0);
    if (frame == null) {
      return true;
    }
    long here = cursor.position();
    cursor.seek(pool.longValue(1));
    readFrames(frame);
    cursor.seek(here);
    return true;
  }

  private void readFrames(FieldProgram program) throws JfrFormatException {
    int count = cursor.readCount("frames");
    if (count > MOST_FRAMES) {
      throw cursor.error("a stack trace with " + count + " frames, more than " + MOST_FRAMES);
    }
    grow(count);
    for (int i = 0; i < count; i++) {
      if (plainFrames) {
        methods[i] = cursor.readLong();
        lines[i] = cursor.readInt();
        bytecodeIndexes[i] = cursor.readInt();
        types[i] = cursor.readLong();
      } else {
        program.run(cursor, slots);
        methods[i] = slots[0];
        lines[i] = (int) slots[1];
        bytecodeIndexes[i] = (int) slots[2];
        types[i] = slots[3];
      }
    }
    depth = count;
  }

  private void grow(int count) {
    if (count > methods.length) {
      int size = Math.max(count, 2 * methods.length);
      methods = Arrays.copyOf(methods, size);
      lines = Arrays.copyOf(lines, size);
      bytecodeIndexes = Arrays.copyOf(bytecodeIndexes, size);
      types = Arrays.copyOf(types, size);
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
    return methods[frame];
  }

  public int line(int frame) {
    return lines[frame];
  }

  public int bytecodeIndex(int frame) {
    return bytecodeIndexes[frame];
  }

  /** The number of the frame's type, see {@link ChunkReader#frameType}. */
  public long frameType(int frame) {
    return types[frame];
  }
}
