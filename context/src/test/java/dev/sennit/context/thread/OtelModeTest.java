/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.Memory;
import dev.sennit.context.memory.OsThread;
import dev.sennit.context.memory.Proc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OtelModeTest extends ContextApiContract {
  @Override
  ContextStorageMode mode() {
    return ContextStorageMode.OTEL;
  }

  @Test
  void theHeaderIsThatOfTheFormat() {
    ByteBuffer header = bytes(0, 32);
    assertThat(header.getInt(0x00)).isEqualTo(0x4F54454C);
    assertThat(header.getInt(0x04)).isEqualTo(1);
    assertThat(header.getInt(0x08)).isEqualTo(65_536);
    assertThat(header.getInt(0x0C)).isEqualTo(32);
    assertThat(header.getLong(0x10)).isZero();
    assertThat(header.getLong(0x18)).isZero();
  }

  @Test
  void theSlotIsThatOfTheFormatWithTheControlWordInItsPadding() {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 0x05);
    int tid = OsThread.id();
    ByteBuffer slot = bytes(0x20 + 32L * (tid % 65_536), 32);
    assertThat(slot.getLong(0x00)).isEqualTo(TRACE_HIGH);
    assertThat(slot.getLong(0x08)).isEqualTo(TRACE_LOW);
    assertThat(slot.getLong(0x10)).isEqualTo(SPAN);
    assertThat(slot.get(0x18)).as("in_use").isZero();
    assertThat(slot.get(0x19)).as("trace flags").isEqualTo((byte) 0x05);
    assertThat(slot.getInt(0x1A) & 0xFFFFFF).as("tid").isEqualTo(tid);
    long sequence = slot.getLong(0x18) >>> 40;
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 0x05);
    assertThat(bytes(0x20 + 32L * (tid % 65_536), 32).getLong(0x18) >>> 40)
        .as("sequence number")
        .isEqualTo(sequence + 1);
  }

  @Test
  void clearingZeroesTheIdsAndFreesTheSlotButKeepsCounting() {
    ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
    long offset = 0x20 + 32L * (OsThread.id() % 65_536);
    long sequence = bytes(offset, 32).getLong(0x18) >>> 40;
    ContextApi.clear();
    ByteBuffer slot = bytes(offset, 32);
    assertThat(slot.getLong(0x00) | slot.getLong(0x08) | slot.getLong(0x10)).isZero();
    assertThat(slot.getLong(0x18)).isEqualTo((sequence + 1) << 40);
  }

  @Test
  void childProcessesDoNotInheritTheRing() throws IOException {
    String start = Long.toHexString(ringAddress()) + "-";
    String smaps = Files.readString(Path.of("/proc/self/smaps"));
    int at = smaps.indexOf("\n" + start);
    assertThat(at).as("the ring starts a region of its own").isPositive();
    String flags = smaps.substring(smaps.indexOf("VmFlags:", at));
    assertThat(flags.substring(0, flags.indexOf('\n'))).as("do not copy on fork").contains(" dc");
  }

  @Test
  void anotherThreadIsReadByItsTid() throws Exception {
    AtomicInteger tid = new AtomicInteger();
    CyclicBarrier barrier = new CyclicBarrier(2);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
                  tid.set(OsThread.id());
                  await(barrier);
                  await(barrier);
                });
    await(barrier);
    assertThat(ContextApi.getByTid(tid.get(), snapshot)).isTrue();
    assertSnapshot(TRACE_HIGH, TRACE_LOW, SPAN, TRACE_LOW, 1);
    assertThat(ContextApi.getByTid(tid.get() + 65_536, snapshot)).as("shares the slot").isFalse();
    assertThat(ContextApi.getByTid(0, snapshot)).isFalse();
    assertThat(ContextApi.getByTid(-5, snapshot)).isFalse();
    await(barrier);
    other.join();
    awaitEnd(tid.get());
    assertThat(ContextApi.getByTid(tid.get(), snapshot)).as("after its end").isFalse();
  }

  @Test
  void shortLivedThreadsLeaveNoUsedSlot() throws InterruptedException {
    Set<Integer> tids = ConcurrentHashMap.newKeySet();
    for (int round = 0; round < 500; round++) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      ContextApi.setOtel(TRACE_HIGH, TRACE_LOW, SPAN, 1);
                      tids.add(OsThread.id());
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    tids.forEach(OtelModeTest::awaitEnd);
    assertThat(tids).hasSizeGreaterThan(1_000);
    assertThat(usedSlots()).isEmpty();
  }

  @Test
  void fourThreadsInOneSlotNeverGetEachOthersIds() throws Exception {
    ContextApi.shutdown();
    ContextApi.initialize(ContextOptions.of(mode()).withCapacity(1));
    AtomicLong wrong = new AtomicLong();
    AtomicLong right = new AtomicLong();
    CyclicBarrier barrier = new CyclicBarrier(4);
    int[] tids = new int[4];
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int index = t;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    tids[index] = OsThread.id();
                    await(barrier);
                    ContextSnapshot seen = new ContextSnapshot();
                    for (int i = 0; i < 200_000; i++) {
                      ContextApi.setOtel(tids[index], i, tids[index]);
                      int asked = tids[i & 3];
                      if (ContextApi.getByTid(asked, seen)) {
                        boolean isRight = seen.spanId() == asked && seen.traceIdHigh() == asked;
                        (isRight ? right : wrong).incrementAndGet();
                      }
                      if (ContextApi.get(seen) && seen.traceIdLow() != i) {
                        wrong.incrementAndGet();
                      }
                      ContextApi.clear();
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong).hasValue(0);
    assertThat(right).as("contexts that were readable").hasPositiveValue();
  }

  @Test
  void attributesAreRefused() {
    AttributeKey key = ContextApi.announce("http.route");
    assertThat(ContextApi.setAttribute(key, "/")).isEqualTo(AttributeOutcome.NOT_IN_THIS_MODE);
    assertThat(ContextApi.getAttribute(key)).isNull();
  }

  @Test
  void otelContextsIsTheSameRing() {
    assertThat(OtelContexts.isInitialized()).isTrue();
    OtelContexts.set(TRACE_HIGH, TRACE_LOW, SPAN);
    assertThat(ContextApi.get(snapshot)).isTrue();
    assertThat(OtelContexts.get(snapshot)).isTrue();
    assertThat(OtelContexts.getByTid(OsThread.id(), snapshot)).isTrue();
    assertSnapshot(TRACE_HIGH, TRACE_LOW, SPAN, TRACE_LOW, 1);
    OtelContexts.shutdown();
    assertThat(ContextApi.isInitialized()).isFalse();
    assertThat(OtelContexts.initialize(16)).isTrue();
    assertThat(ContextApi.getMode()).isEqualTo(ContextStorageMode.OTEL);
  }

  @Test
  void aThreadThatOutlivesTheRingWritesToHarmlessMemory() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(2);
    AtomicInteger tid = new AtomicInteger();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  tid.set(OsThread.id());
                  ContextApi.setOtel(1, 2, 3);
                  await(barrier);
                  await(barrier);
                  ContextApi.setOtel(4, 5, 6);
                });
    await(barrier);
    ContextApi.shutdown();
    ContextApi.initialize(ContextOptions.of(mode()).withCapacity(1024));
    await(barrier);
    other.join();
    awaitEnd(tid.get());
    assertThat(usedSlots(1024)).isEmpty();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  /** A thread is joined a moment before the kernel, and so its slot, is done with it. */
  private static void awaitEnd(int tid) {
    while (Proc.hasThread(tid)) {
      Thread.onSpinWait();
    }
  }

  private static List<Integer> usedSlots() {
    return usedSlots(65_536);
  }

  private static List<Integer> usedSlots(int capacity) {
    ByteBuffer ring = bytes(0, 32 + 32 * capacity);
    return IntStream.range(0, capacity)
        .filter(slot -> (ring.getLong(0x20 + 32 * slot + 0x18) & 0xFFFFFFFFFFL) != 0)
        .boxed()
        .collect(Collectors.toList());
  }

  private static ByteBuffer bytes(long offset, int length) {
    return ByteBuffer.wrap(Memory.getBytes(ringAddress() + offset, length))
        .order(ByteOrder.nativeOrder());
  }

  private static long ringAddress() {
    return PublishedAttributes.ringAddress();
  }
}
