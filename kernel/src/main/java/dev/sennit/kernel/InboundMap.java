/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import dev.sennit.context.inbound.DescriptorSocket;
import dev.sennit.context.inbound.InboundSlotDescriptor;
import dev.sennit.context.memory.Libc;
import dev.sennit.kernel.libbpf.BpfException;
import dev.sennit.kernel.libbpf.BpfMap;
import dev.sennit.kernel.libbpf.BpfObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The array in which the programs tell threads what they have read, made apart from the programs: a
 * process that has mapped it goes on seeing what is written when others take their place. It is
 * written only for processes to which it was handed.
 */
public final class InboundMap implements AutoCloseable {
  private static final String NAME = "inbound_slots";

  private final BpfMap map;
  private final Set<Integer> readers = new HashSet<>();
  private final Set<ProcessEntries> writers = new HashSet<>();

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

  /** To map it; only programs can write to it. */
  public int fd() {
    return map.fd();
  }

  /**
   * Hands it out to the processes that may have it.
   *
   * @param socket a file that is not there yet
   * @param mayHave decides by the number of a process
   * @throws IOException when the socket cannot be made
   */
  public DescriptorSocket handOut(Path socket, IntPredicate mayHave) throws IOException {
    return DescriptorSocket.serve(socket, fd(), pid -> mayHave.test(pid) && expectReader(pid));
  }

  /** Before the process has it, so that nothing is missing of what it reads afterwards. */
  private synchronized boolean expectReader(int pid) {
    readers.removeIf(each -> ProcessHandle.of(each).isEmpty());
    readers.add(pid);
    writers.forEach(each -> each.tellReader(pid));
    return true;
  }

  /** Before they are loaded: has programs use it. */
  void lendTo(BpfObject object) {
    object.reuse(NAME, fd());
  }

  /** Has programs write for all that read, and for those to come. */
  synchronized void addWriter(ProcessEntries entries) {
    writers.add(entries);
    readers.removeIf(each -> ProcessHandle.of(each).isEmpty());
    readers.forEach(entries::tellReader);
  }

  /** The programs are about to be unloaded. */
  synchronized void removeWriter(ProcessEntries entries) {
    writers.remove(entries);
  }

  /** Lets go of it; it is gone when neither programs nor processes have it any more. */
  @Override
  public void close() {
    Libc.close(fd());
  }
}
