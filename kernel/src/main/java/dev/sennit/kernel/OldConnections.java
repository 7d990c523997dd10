/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.libbpf.BpfMap;
import dev.sennit.kernel.libbpf.BpfObject;
import dev.sennit.kernel.ring.Way;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Tells the programs of connections that are older than the tracer. */
final class OldConnections {
  private static final int MOST = 16_384;

  private OldConnections() {}

  /** Before 6.4 the iterator can stall the kernel; then they are only seen. */
  static boolean canBeJoined() {
    return KernelVersion.isAtLeast(6, 4);
  }

  /** Numbers the connections of the processes, and enrols the outbound ones. */
  static void join(BpfObject object, List<Integer> pids) {
    if (!canBeJoined()) {
      return;
    }
    BpfMap joined = object.map("joined_sockets");
    int count = 0;
    for (int pid : pids) {
      for (Map.Entry<Long, Way> socket : socketsOf(pid).entrySet()) {
        if (count < MOST) {
          joined.put(MapBytes.of(socket.getKey()), new byte[] {socket.getValue().number()});
          count++;
        }
      }
    }
    if (count > 0) {
      object.iterate("join");
      joined.keys(MOST).forEach(joined::remove);
    }
  }

  /** A process may end while we look. */
  private static Map<Long, Way> socketsOf(int pid) {
    try {
      return OpenSockets.of(pid);
    } catch (IOException gone) {
      return Map.of();
    }
  }
}
