/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.view;

import java.util.List;

/**
 * The processes of this host that publish who they are and what their threads do. It is asked by
 * one thread at a time, some ten times a second, and only while somebody looks.
 */
public interface LiveProcesses {
  /** What there is now. A process that has ended meanwhile is left out. */
  Snapshot snapshot();

  /** Lets go of what was kept for the next snapshot, for nobody looks any more. */
  void rest();

  /**
   * What was read at about the same time.
   *
   * @param more whether there are processes or threads that were left out
   * @param unreadable how many processes could not be looked into, mostly those of other users
   */
  record Snapshot(List<LiveProcess> processes, boolean more, int unreadable) {
    public Snapshot {
      processes = List.copyOf(processes);
    }
  }
}
