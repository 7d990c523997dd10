/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.kernel.libbpf.BpfMap;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The cgroups that the programs observe, which know them by number. The cgroup of a service that
 * starts again is another of the same name: systemd removes it and makes a new one.
 */
final class ObservedCgroups {
  private static final int MOST = 16;

  private final BpfMap map;
  private final List<Cgroup> cgroups;
  private final long[] ids;

  /**
   * Tells the programs of them.
   *
   * @throws IOException when one is not there
   */
  ObservedCgroups(BpfMap map, List<Cgroup> cgroups) throws IOException {
    if (cgroups.size() > MOST) {
      throw new IllegalArgumentException(
          cgroups.size() + " cgroups: at most " + MOST + " can be observed; one above them may do");
    }
    this.map = map;
    this.cgroups = List.copyOf(cgroups);
    ids = new long[cgroups.size()];
    for (int i = 0; i < ids.length; i++) {
      tell(i, this.cgroups.get(i).id());
    }
  }

  /** Tells the programs of those that have been made anew since, and returns them. */
  List<Cgroup> renew() {
    List<Cgroup> fresh = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      Cgroup cgroup = cgroups.get(i);
      try {
        long id = cgroup.id();
        if (id != ids[i]) {
          tell(i, id);
          fresh.add(cgroup);
        }
      } catch (IOException gone) {
        // It may come again.
      }
    }
    return fresh;
  }

  private void tell(int index, long id) {
    ids[index] = id;
    map.put(
        MapBytes.of(index),
        ByteBuffer.allocate(16)
            .order(ByteOrder.nativeOrder())
            .putLong(id)
            .putInt(cgroups.get(index).level())
            .array());
  }
}
