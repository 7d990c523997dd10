/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The constants of one type, of which the fields asked for are read when a constant is looked up.
 */
public final class Pool extends FieldValues {
  private final @Nullable PoolIndex index;
  private final @Nullable FieldProgram program;

  Pool(ChunkReader reader, @Nullable JfrType type, List<String> names) throws JfrFormatException {
    super(reader, names);
    if (type == null) {
      index = null;
      program = null;
    } else {
      index = reader.poolIndex(type.id());
      program = FieldProgram.reading(reader.jfrTypes(), type, reader.cursor(), names);
      describe(type);
    }
  }

  /** Reads constant {@code id}; false if there is none, and then all values are 0. */
  public boolean find(long id) throws JfrFormatException {
    return findAt(slot(id));
  }

  /** As above, by the slot of the constant, or -1. */
  boolean findAt(int slot) throws JfrFormatException {
    if (slot < 0 || index == null || program == null) {
      clear();
      return false;
    }
    long position = index.positionAt(slot);
    ChunkCursor cursor = reader().cursor();
    long here = cursor.position();
    cursor.seek(position);
    read(program, cursor);
    cursor.seek(here);
    return true;
  }

  long positionAt(int slot) {
    return index == null ? PoolIndex.ABSENT : index.positionAt(slot);
  }

  int slot(long id) {
    return index == null ? -1 : index.slotOf(id);
  }

  int slots() {
    return index == null ? 0 : index.slots();
  }

  long fingerprintHigh(int slot) {
    return index == null ? 0 : index.fingerprintHigh(slot);
  }

  long fingerprintLow(int slot) {
    return index == null ? 0 : index.fingerprintLow(slot);
  }

  public int size() {
    return index == null ? 0 : index.size();
  }

  /** The numbers of all constants, in no order. */
  public long[] ids() {
    return index == null ? new long[0] : index.ids();
  }
}
