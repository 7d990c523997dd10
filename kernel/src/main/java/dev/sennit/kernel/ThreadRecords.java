/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadRecordPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Tells the programs where the threads of a process publish what they are doing. */
final class ThreadRecords {
  private static final String RING_ADDRESS = "sennit.thread_ring.address";
  private static final String RING_CAPACITY = "sennit.thread_ring.capacity";
  private static final String SCHEMA = "threadlocal.schema_version";

  /** {@code PROC_PID_INIT_INO} of the kernel. */
  private static final String FIRST_NAMESPACE = "pid:[4026531836]";

  private final ProcessEntries entries;
  private final ProcessContextReader reader = new ProcessContextReader();

  ThreadRecords(ProcessEntries entries) {
    this.entries = entries;
  }

  /** Reads what the process publishes, which may be nothing. */
  synchronized void refresh(int pid) {
    if (!(reader.read(pid) instanceof ProcessReading.Published published)) {
      return;
    }
    Map<String, AttributeValue> attributes = published.context().attributes();
    if (attributes.get(RING_ADDRESS) instanceof AttributeValue.Whole(long address)
        && attributes.get(RING_CAPACITY) instanceof AttributeValue.Whole(long capacity)) {
      entries.tellPlace(pid, address, (int) capacity, livesWithTheKernel(pid), 0);
    } else {
      // Where nothing is announced any more, what was withdrawn must not be read either.
      long distance =
          attributes.containsKey(SCHEMA)
              ? ThreadRecordPlace.distanceFromThreadPointer(pid).orElse(0)
              : 0;
      entries.tellPlace(pid, 0, 0, false, distance);
    }
  }

  /**
   * Whether the process is in the first namespace of processes, whose numbers are those of the
   * kernel: finding a thread's number in another one costs as much as all else.
   */
  private static boolean livesWithTheKernel(int pid) {
    try {
      return Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/pid"))
          .toString()
          .equals(FIRST_NAMESPACE);
    } catch (IOException e) {
      return false;
    }
  }
}
