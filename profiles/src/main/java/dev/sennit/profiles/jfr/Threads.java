/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

import org.jspecify.annotations.Nullable;

/** The threads of a chunk; {@link #find} makes one the current. */
public final class Threads {
  private final Pool pool;

  Threads(ChunkReader reader) throws JfrFormatException {
    pool =
        reader.pool(
            "java.lang.Thread",
            "osThreadId",
            "osName",
            "javaThreadId",
            "javaName",
            "virtual",
            "group");
  }

  public boolean find(long id) throws JfrFormatException {
    return pool.find(id);
  }

  /** 0 for a virtual thread. */
  public long osThreadId() {
    return pool.longValue(0);
  }

  public @Nullable String osName() throws JfrFormatException {
    return pool.text(1);
  }

  /** 0 for a thread that runs no Java. */
  public long javaThreadId() {
    return pool.longValue(2);
  }

  public @Nullable String javaName() throws JfrFormatException {
    return pool.text(3);
  }

  /** False also if the writer does not say, as before JDK 21. */
  public boolean virtual() {
    return pool.booleanValue(4);
  }

  public long groupId() {
    return pool.longValue(5);
  }
}
