/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.sennit.context.memory.Libc;
import dev.sennit.context.memory.Memory;
import dev.sennit.testing.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a reader makes of bytes that the test writes in the place of the kernel's programs. */
@Requires
@Timeout(60)
class InboundSlotsTest {
  private static final int TID = 70_000;
  private static final int SLOT = 64 * (TID - 65_536);
  private static final int READS = 200_000;
  private static final long SINCE = 12_345;

  private final InboundRequest request = new InboundRequest();
  private int namespace;
  private int fd;
  private long memory;
  private InboundSlots slots;

  @BeforeEach
  void map() throws IOException {
    String link = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    namespace = Integer.parseUnsignedInt(link.replaceAll("\\D", ""));
    fd = (int) Libc.memfdCreate("sennit-test", Libc.MFD_CLOEXEC);
    long length = InboundSlotDescriptor.LENGTH;
    assertThat(Libc.ftruncate(fd, length)).isZero();
    memory = Libc.mmap(0, length, Libc.PROT_READ | Libc.PROT_WRITE, Libc.MAP_SHARED, fd);
    assertThat(memory).isPositive();
    slots = InboundSlots.map(fd);
    lease(SINCE, System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
  }

  private void lease(long since, long until) {
    Memory.putLong(memory + 64 * 65_536, until);
    Memory.putLong(memory + 64 * 65_536 + 48, since);
  }

  @AfterEach
  void unmap() {
    Libc.munmap(memory, InboundSlotDescriptor.LENGTH);
    Libc.close(fd);
  }

  @Test
  void whatTheThreadReadIsFound() {
    write(2, TID, namespace);

    assertThat(slots.sequence(TID)).isEqualTo(2);
    assertThat(slots.read(TID, 2, request)).isTrue();
    assertThat(request)
        .hasToString("4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-03 (shared)");
    assertThat(request.shared()).isTrue();
    assertThat(slots.isOpen(TID, 2)).isTrue();
  }

  @Test
  void whoReadNothingIsToldNothing() {
    assertThat(slots.sequence(TID)).isZero();
    assertThat(slots.read(TID, 0, request)).isFalse();
    assertThat(slots.isOpen(TID, 0)).isFalse();
    assertThat(request.traceIdHigh()).isZero();
  }

  @Test
  void aThreadWithTheSameSlotIsAnother() {
    write(2, TID - 65_536, namespace);
    assertThat(slots.read(TID, 2, request)).isFalse();
    assertThat(slots.read(TID - 65_536, 2, request)).isTrue();
  }

  @Test
  void aThreadOfTheSameNumberInAnotherNamespaceIsAnother() {
    write(2, TID, namespace + 1);
    assertThat(slots.read(TID, 2, request)).isFalse();
  }

  @Test
  void aSlotThatIsBeingWrittenOrHasGoneOnSaysNothing() {
    write(3, TID, namespace);
    assertThat(slots.read(TID, 3, request)).isFalse();
    assertThat(slots.isOpen(TID, 3)).isFalse();

    write(4, TID, namespace);
    assertThat(slots.read(TID, 2, request)).isFalse();
    assertThat(slots.isOpen(TID, 2)).isFalse();
    assertThat(request.spanId()).isZero();
  }

  @Test
  void anAnsweredRequestIsNoLongerOpen() {
    write(2, TID, namespace);
    Memory.putByte(memory + SLOT + 41, (byte) 0);

    assertThat(slots.isOpen(TID, 2)).isFalse();
    assertThat(slots.read(TID, 2, request)).isTrue();
  }

  /** It may have been answered while nobody saw it. */
  @Test
  void whatWasReadInAnotherLeaseIsNoLongerOpen() {
    write(2, TID, namespace);
    assertThat(slots.isTended()).isTrue();

    lease(SINCE, System.nanoTime());
    assertThat(slots.isTended()).isFalse();
    assertThat(slots.isOpen(TID, 2)).isFalse();

    lease(SINCE + 1, System.nanoTime() + TimeUnit.MINUTES.toNanos(1));
    assertThat(slots.isTended()).isTrue();
    assertThat(slots.isOpen(TID, 2)).isFalse();
  }

  /** Whoever shares the slot writes while it is read: ids of two requests never mix. */
  @Test
  void whatIsReadBelongsTogether() throws InterruptedException {
    write(2, TID, namespace);
    Memory.clear(memory + SLOT + 16, 24);
    Thread writer = Thread.ofPlatform().daemon().start(this::writeAgainAndAgain);
    try {
      int read = 0;
      for (int i = 0; i < READS || read == 0; i++) {
        if (slots.read(TID, slots.sequence(TID), request)) {
          assertThat(request.traceIdHigh()).isEqualTo(request.spanId());
          assertThat(request.traceIdLow()).isEqualTo(request.spanId());
          read++;
        }
      }
    } finally {
      writer.interrupt();
      writer.join();
    }
  }

  private void writeAgainAndAgain() {
    long slot = memory + SLOT;
    for (long id = 1; !Thread.interrupted(); id++) {
      Memory.compareAndSetLong(slot, 2 * id, 2 * id + 1);
      Memory.putLongOpaque(slot + 16, id);
      Memory.putLongOpaque(slot + 24, id);
      Memory.putLongOpaque(slot + 32, id);
      Memory.compareAndSetLong(slot, 2 * id + 1, 2 * id + 2);
      for (int i = 0; i < 20; i++) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void aDescriptorThatCannotBeMappedIsNamed() {
    assertThatIOException()
        .isThrownBy(() -> InboundSlots.map(-1))
        .withMessageContaining("descriptor -1 cannot be mapped");
  }

  private void write(long sequence, int tid, int pidNamespace) {
    long slot = memory + SLOT;
    Memory.putLong(slot, sequence);
    Memory.putInt(slot + 8, tid);
    Memory.putInt(slot + 12, pidNamespace);
    Memory.putBytes(
        slot + 16,
        HexFormat.of().parseHex("4bf92f3577b34da6a3ce929d0e0e473600f067aa0ba902b7030101"));
    Memory.putLong(slot + 48, SINCE);
  }
}
