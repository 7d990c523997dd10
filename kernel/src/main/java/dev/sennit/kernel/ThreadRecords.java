/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.reader.ProcessContextReader;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadRecordPlace;
import dev.sennit.kernel.libbpf.BpfMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.function.Consumer;

/** Tells the programs where the threads of a process publish what they are doing. */
final class ThreadRecords {
  private static final String RING_ADDRESS = "sennit.thread_ring.address";
  private static final String RING_CAPACITY = "sennit.thread_ring.capacity";
  private static final String SCHEMA = "threadlocal.schema_version";

  /** The offsets of {@code struct process}. */
  private static final int CAPACITY = 4;

  private static final int ADDRESS = 8;
  private static final int DISTANCE = 16;

  private final BpfMap processes;
  private final ProcessContextReader reader = new ProcessContextReader();

  ThreadRecords(BpfMap processes) {
    this.processes = processes;
  }

  /** Reads what the process publishes, which may be nothing. */
  void refresh(int pid) {
    if (!(reader.read(pid) instanceof ProcessReading.Published published)) {
      return;
    }
    Map<String, AttributeValue> attributes = published.context().attributes();
    if (attributes.get(RING_ADDRESS) instanceof AttributeValue.Whole(long address)
        && attributes.get(RING_CAPACITY) instanceof AttributeValue.Whole(long capacity)) {
      change(pid, process -> process.putInt(CAPACITY, (int) capacity).putLong(ADDRESS, address));
    } else if (attributes.containsKey(SCHEMA)) {
      ThreadRecordPlace.distanceFromThreadPointer(pid)
          .ifPresent(distance -> change(pid, process -> process.putLong(DISTANCE, distance)));
    }
  }

  private void change(int pid, Consumer<ByteBuffer> change) {
    byte[] key = MapBytes.of(pid);
    ByteBuffer process =
        ByteBuffer.wrap(processes.get(key).orElse(new byte[processes.valueSize()]))
            .order(ByteOrder.nativeOrder());
    change.accept(process);
    processes.put(key, process.array());
  }
}
