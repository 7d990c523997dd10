/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.record.NativeName;

/** Knows the threads of processes by their names. */
public interface ThreadNames {
  /** There is no thread of that name. */
  int NONE = 0;

  /** There is more than one: the kernel keeps only the beginning of long names. */
  int SEVERAL = -1;

  /**
   * The thread of a process that was called so, or {@link #NONE}, or {@link #SEVERAL}.
   *
   * @param time when it was, in nanoseconds since 1970: a moment ago
   */
  int tidOf(int pid, NativeName name, long time);
}
