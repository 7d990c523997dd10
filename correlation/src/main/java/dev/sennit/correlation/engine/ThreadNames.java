/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import dev.sennit.correlation.record.NativeName;

/** Knows the threads of processes by their names. */
public interface ThreadNames {
  /** The thread of a process that is called so now; 0 if there is none, or more than one. */
  int tidOf(int pid, NativeName name);
}
