/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds every constant of a chunk in one pass over its checkpoint events. A checkpoint has start,
 * duration, the distance to the checkpoint before it (0 in the first), a byte of flags, and pools:
 * a type, a count, and as many pairs of a number and a value.
 */
final class PoolScanner {
  /** A damaged file may announce any number of constants. */
  private static final int MOST_RESERVED = 1 << 17;

  private final ChunkCursor cursor;
  private final JfrTypes types;
  private final SpareIndexes spares;
  private final Map<Long, PoolIndex> pools = new HashMap<>();
  private final Map<Long, FieldProgram> skippers = new HashMap<>();
  private final Fingerprint fingerprint = new Fingerprint();

  PoolScanner(ChunkCursor cursor, JfrTypes types, SpareIndexes spares) {
    this.cursor = cursor;
    this.types = types;
    this.spares = spares;
  }

  Map<Long, PoolIndex> pools() {
    return pools;
  }

  /** Reads the checkpoint at {@code last} and all before it. */
  void scanChain(long last) throws JfrFormatException {
    long limit = cursor.end();
    long position = last;
    while (true) {
      long delta = scan(position, limit);
      if (delta == 0) {
        return;
      }
      long before = position + delta;
      if (delta > 0 || before < ChunkHeader.SIZE) {
        throw cursor.error(
            position, "the checkpoint before this one is said to be " + delta + " on");
      }
      limit = position;
      position = before;
    }
  }

  /**
   * Reads one checkpoint.
   *
   * @param limit where it must have ended: events do not overlap, and so no byte is read twice
   * @return the distance to the checkpoint before, or 0
   */
  long scan(long start, long limit) throws JfrFormatException {
    cursor.seek(start);
    int size = cursor.readInt();
    long type = cursor.readLong();
    if (type != ChunkReader.CHECKPOINT_TYPE || size <= 0 || size > limit - start) {
      throw cursor.error(
          start, "no checkpoint where one is said to be: type " + type + ", size " + size);
    }
    cursor.readLong(); // start
    cursor.readLong(); // duration
    long delta = cursor.readLong();
    cursor.readByte(); // flags
    int count = cursor.readCount("constant pools");
    for (int i = 0; i < count; i++) {
      scanPool();
    }
    if (cursor.position() > start + size) {
      throw cursor.error(start, "a checkpoint goes on after its " + size + " bytes");
    }
    return delta;
  }

  private void scanPool() throws JfrFormatException {
    long at = cursor.position();
    long typeId = cursor.readLong();
    int count = cursor.readCount("constants");
    @Nullable JfrType type = types.byId(typeId);
    if (type == null) {
      if (count == 0) {
        return;
      }
      throw cursor.error(at, count + " constants of type " + typeId + ", which is not described");
    }
    @Nullable FieldProgram skipper = skippers.get(typeId);
    if (skipper == null) {
      skipper = FieldProgram.skipping(types, type, cursor);
      skippers.put(typeId, skipper);
    }
    int numbersOfFrame = StackTraces.numbersOfFrame(types, type, cursor);
    if (numbersOfFrame > 0) {
      scanStackTraces(pools.computeIfAbsent(typeId, id -> spares.take()), count, numbersOfFrame);
      return;
    }
    PoolIndex pool = pools.computeIfAbsent(typeId, id -> new PoolIndex());
    for (int i = 0; i < count; i++) {
      long id = cursor.readLong();
      // A value may be written again in a later checkpoint. The first one stays, as in the JDK's
      // reader: checkpoints are read from the last to the first.
      pool.put(id, cursor.position());
      skipper.skip(cursor);
    }
  }

  /** Most of a recording is here, so it is passed once, and with as little as possible. */
  private void scanStackTraces(PoolIndex pool, int count, int numbersOfFrame)
      throws JfrFormatException {
    pool.reserve(Math.min(count, MOST_RESERVED));
    for (int i = 0; i < count; i++) {
      scanStackTrace(pool, numbersOfFrame);
    }
  }

  private void scanStackTrace(PoolIndex pool, int numbersOfFrame) throws JfrFormatException {
    long id = cursor.readLong();
    long position = cursor.position();
    byte truncated = cursor.readByte();
    long numbers = (long) cursor.readCount("frames") * numbersOfFrame;
    if (cursor.fingerprint(numbers, fingerprint)) {
      fingerprint.add(truncated);
      pool.put(id, position, fingerprint);
    } else {
      pool.put(id, position);
    }
  }
}
