/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.context.inbound.InboundSlotDescriptor;
import dev.sennit.context.memory.Libc;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfMap;

/**
 * The array in which the programs tell threads what they have read, made apart from the programs: a
 * process that has mapped it goes on seeing what is written when others take their place.
 */
public final class InboundMap implements AutoCloseable {
  static final String NAME = "inbound_slots";

  private final BpfMap map;

  private InboundMap(BpfMap map) {
    this.map = map;
  }

  /**
   * Makes it.
   *
   * @throws BpfException when the kernel refuses
   */
  public static InboundMap create() {
    return new InboundMap(
        BpfMap.mappableArray(
            NAME, InboundSlotDescriptor.SLOT_LENGTH, InboundSlotDescriptor.CAPACITY + 1));
  }

  /** For the programs. */
  public int fd() {
    return map.fd();
  }

  /** For other processes: as only programs write to this map, it is the same. */
  public int readOnlyFd() {
    return map.fd();
  }

  /** Lets go of it; it is gone when neither programs nor processes have it any more. */
  @Override
  public void close() {
    Libc.close(map.fd());
  }
}
