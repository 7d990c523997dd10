/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

/** The classes of a chunk; {@link #find} makes one the current. */
public final class Classes {
  private final Pool pool;

  Classes(ChunkReader reader) throws JfrFormatException {
    pool = reader.pool("java.lang.Class", "name", "package", "classLoader", "modifiers", "hidden");
  }

  public boolean find(long id) throws JfrFormatException {
    return pool.find(id);
  }

  /**
   * The number of the name, see {@link ChunkReader#symbol}; with slashes, as class files have it.
   */
  public long nameSymbol() {
    return pool.longValue(0);
  }

  public long packageId() {
    return pool.longValue(1);
  }

  public long classLoaderId() {
    return pool.longValue(2);
  }

  public int modifiers() {
    return (int) pool.longValue(3);
  }

  public boolean hidden() {
    return pool.booleanValue(4);
  }
}
