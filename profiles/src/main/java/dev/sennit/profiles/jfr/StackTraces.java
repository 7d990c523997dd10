/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stack traces of a chunk. {@link #find} fills a flat array with the frames of one, the
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

  /** Whether a stack trace is a flag and frames, and they are nothing but compressed integers. */
  private final boolean plain;

  private final long[] slots = new long[FRAME.size()];

  private int depth;
  private long truncated;

  private final FrameTable table = new FrameTable();

  /** The numbers of the frames. */
  private int[] frames = new int[64];

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
    plain =
        type != null
            && frame != null
            && numbersOfFrame(reader.jfrTypes(), type, cursor) == FRAME.size()
            && frame.readsIntegers(FRAME.size());
  }

  /** Reads the frames of stack trace {@code id}; false, with no frames, if there is none. */
  public boolean find(long id) throws JfrFormatException {
    return findAt(slot(id));
  }

  /** As above, by the slot of the stack trace, or -1. */
  public boolean findAt(int slot) throws JfrFormatException {
    depth = 0;
    truncated = 0;
    if (slot >= 0 && plain) {
      readPlain(slot);
      return true;
    }
    if (!pool.findAt(slot)) {
      return false;
    }
    truncated = pool.longValue(0);
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

  /** The shortest way, for it is taken by every stack trace of nearly every recording. */
  private void readPlain(int slot) throws JfrFormatException {
    long here = cursor.position();
    cursor.seek(pool.positionAt(slot));
    truncated = cursor.readByte();
    depth = readDepth();
    cursor.readFrames(table, frames, depth);
    cursor.seek(here);
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
    if (count > frames.length) {
      frames = new int[Math.max(count, 2 * frames.length)];
    }
    return count;
  }

  private void readFrames(FieldProgram program, int count) throws JfrFormatException {
    for (int i = 0; i < count; i++) {
      program.run(cursor, slots);
      frames[i] = table.number(slots[0], slots[1], slots[2], slots[3]);
    }
  }

  private void findFrames(Pool shared, int count) throws JfrFormatException {
    for (int i = 0; i < count; i++) {
      long id = cursor.readLong();
      int number = table.number(id, FrameTable.CONSTANT);
      frames[i] = number < 0 ? addFrame(shared, id) : number;
    }
  }

  private int addFrame(Pool shared, long id) throws JfrFormatException {
    shared.find(id);
    return table.add(
        id,
        FrameTable.CONSTANT,
        shared.longValue(0),
        shared.longValue(1),
        shared.longValue(2),
        shared.longValue(3));
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
    return truncated != 0;
  }

  /**
   * All bits set if the stack trace is truncated, else none. A condition would have the JVM compile
   * anew whatever asks for it, when the first truncated stack trace comes.
   */
  public int truncation() {
    return (int) ((truncated | -truncated) >> 63);
  }

  /**
   * The number of a frame, for what follows. Frames of a chunk that have the same number are the
   * same; numbers are small, and good for an array.
   */
  public int frame(int depth) {
    return frames[depth];
  }

  /** Copies the numbers of all frames. */
  public void copyFrames(int[] target, int offset) {
    System.arraycopy(frames, 0, target, offset, depth);
  }

  /** All numbers of frames that were read so far are below this. */
  public int frameCount() {
    return table.size();
  }

  /** The number of the method of a frame, see {@link Methods}. */
  public long method(int frame) {
    return table.method(frame);
  }

  public int line(int frame) {
    return table.line(frame);
  }

  public int bytecodeIndex(int frame) {
    return table.bytecodeIndex(frame);
  }

  /** The number of the type of a frame, see {@link ChunkReader#frameType}. */
  public long frameType(int frame) {
    return table.type(frame);
  }
}
