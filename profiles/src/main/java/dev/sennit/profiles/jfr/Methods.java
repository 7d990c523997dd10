/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

/** The methods of a chunk; {@link #find} makes one the current. */
public final class Methods {
  private final Pool pool;

  Methods(ChunkReader reader) throws JfrFormatException {
    pool = reader.pool("jdk.types.Method", "type", "name", "descriptor", "modifiers", "hidden");
  }

  public boolean find(long id) throws JfrFormatException {
    return pool.find(id);
  }

  /** The numbers of all methods, in no order. */
  public long[] ids() {
    return pool.ids();
  }

  /** The number of the class, see {@link Classes}. */
  public long classId() {
    return pool.longValue(0);
  }

  /** The number of the name, see {@link ChunkReader#symbol}. */
  public long nameSymbol() {
    return pool.longValue(1);
  }

  /** The number of the descriptor, see {@link ChunkReader#symbol}. */
  public long descriptorSymbol() {
    return pool.longValue(2);
  }

  public int modifiers() {
    return (int) pool.longValue(3);
  }

  public boolean hidden() {
    return pool.booleanValue(4);
  }
}
