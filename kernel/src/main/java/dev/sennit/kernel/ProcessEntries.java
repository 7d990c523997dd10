/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.libbpf.BpfMap;
import dev.sennit.kernel.libbpf.BpfObject;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * What the programs know of each process, as far as the tracer has to tell them. It has programs
 * write that: an entry that it put itself would replace what others are counting in it.
 */
final class ProcessEntries {
  /** Which are run by a call, and attached to nothing. */
  static final List<String> PROGRAMS = List.of("tell_place", "tell_reader");

  private static final int MOST = 8192;
  private static final int TOLD_PLACE = 32;
  private static final int ASKS_UNREAD = 8;

  private final BpfObject object;
  private final BpfMap entries;

  ProcessEntries(BpfObject object) {
    this.object = object;
    entries = object.map("processes");
  }

  /** Where the threads of a process keep their records, as {@code struct told_place} has it. */
  void tellPlace(int pid, long ring, int capacity, boolean globalNumbers, long pointerDistance) {
    ByteBuffer told = ByteBuffer.allocate(TOLD_PLACE).order(ByteOrder.nativeOrder());
    told.putInt(pid).putInt(0);
    told.putLong(ring).putInt(capacity).putInt(globalNumbers ? 1 : 0).putLong(pointerDistance);
    object.run("tell_place", told.array());
  }

  /** That a process reads what its threads are told. */
  void tellReader(int pid) {
    object.run("tell_reader", MapBytes.of(pid));
  }

  /**
   * Before programs run that did not run for a while: processes have ended unseen, and others have
   * their numbers. That one asks how much is unread stays known, for to forget it does harm.
   */
  void forget() {
    for (byte[] pid : entries.keys(MOST)) {
      int flags =
          entries
              .get(pid)
              .map(entry -> ByteBuffer.wrap(entry).order(ByteOrder.nativeOrder()).getInt())
              .orElse(0);
      if ((flags & ASKS_UNREAD) == 0) {
        entries.remove(pid);
      } else {
        entries.put(
            pid,
            ByteBuffer.allocate(entries.valueSize())
                .order(ByteOrder.nativeOrder())
                .putInt(ASKS_UNREAD)
                .array());
      }
    }
  }
}
