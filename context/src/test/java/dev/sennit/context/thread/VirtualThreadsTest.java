package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.OsThread;
import dev.sennit.testing.Requires;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requires
class VirtualThreadsTest {
  private static final int THREADS = 10_000;
  private static final int YIELDS = 20;

  @AfterEach
  void shutdown() {
    ContextApi.shutdown();
  }

  @Test
  void aWriteLandsInTheRecordOfTheCarrier() throws InterruptedException {
    ContextApi.initialize("ctxstorage=otel");
    AtomicInteger carrier = new AtomicInteger();
    CountDownLatch written = new CountDownLatch(1);
    CountDownLatch read = new CountDownLatch(1);
    Thread virtual =
        Thread.startVirtualThread(
            () -> {
              carrier.set(OsThread.id());
              ContextApi.setOtel(1, 2, 3, 1);
              written.countDown();
              // Spinning keeps it mounted.
              while (read.getCount() > 0) {
                Thread.onSpinWait();
              }
              ContextApi.clear();
            });
    written.await();
    ContextSnapshot snapshot = new ContextSnapshot();
    boolean found = ContextApi.getByTid(carrier.get(), snapshot);
    read.countDown();
    virtual.join();
    assertThat(found).isTrue();
    assertThat(snapshot.spanId()).isEqualTo(3);
    assertThat(ContextApi.getByTid(carrier.get(), snapshot)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void aContextFollowsItsVirtualThreadFromCarrierToCarrier(ContextStorageMode mode)
      throws InterruptedException {
    ContextApi.initialize(ContextOptions.of(mode).withAttributeKeys("thread"));
    ThreadLocal<VirtualThreadContext> contexts = ContextApi.followVirtualThreads();
    AtomicLong wrong = new AtomicLong();
    AtomicLong moved = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= THREADS; i++) {
      long id = i;
      threads.add(
          Thread.startVirtualThread(
              () -> {
                ContextSnapshot snapshot = new ContextSnapshot();
                for (int y = 0; y < YIELDS; y++) {
                  int tid = OsThread.id();
                  ContextApi.set(id, -id, id << 16 | y, id, y);
                  ContextApi.setAttribute("thread", mode == ContextStorageMode.OTEP ? "t" + id : "t");
                  ContextApi.onUnmount();
                  Thread.yield();
                  ContextApi.onMount(contexts.get());
                  if (OsThread.id() != tid) {
                    moved.incrementAndGet();
                  }
                  boolean right =
                      ContextApi.get(snapshot)
                          && snapshot.traceIdHigh() == id
                          && snapshot.traceIdLow() == -id
                          && snapshot.spanId() == (id << 16 | y)
                          && snapshot.flags() == y
                          && snapshot.rootSpanId() == (mode == ContextStorageMode.OTEL ? -id : id);
                  if (mode == ContextStorageMode.OTEP) {
                    right &= ("t" + id).equals(ContextApi.getAttribute(ContextApi.announce("thread")));
                  }
                  if (!right) {
                    wrong.incrementAndGet();
                  }
                }
                ContextApi.clear();
                ContextApi.onUnmount();
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong).hasValue(0);
    if (Runtime.getRuntime().availableProcessors() > 1) {
      assertThat(moved).as("threads that changed their carrier").hasPositiveValue();
    }
  }

  @Test
  void aThreadWithoutContextLeavesTheCarrierWithNone() throws InterruptedException {
    ContextApi.initialize("ctxstorage=otel");
    Thread.ofPlatform()
        .start(
            () -> {
              ContextApi.setOtel(1, 2, 3);
              ContextApi.onMount(null);
              assertNone();
              ContextApi.setOtel(1, 2, 3);
              ContextApi.onMount(new VirtualThreadContext());
              assertNone();
            })
        .join();
  }

  private static void assertNone() {
    assertThat(ContextApi.get(new ContextSnapshot())).isFalse();
  }
}
