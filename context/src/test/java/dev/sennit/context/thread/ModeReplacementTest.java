/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.OsThread;
import dev.sennit.context.process.AttributeValue;
import dev.sennit.testing.ChildProcess;
import dev.sennit.testing.Requires;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mode {@code profiler} gives way to one that readers outside know, while threads write. */
@Requires
class ModeReplacementTest {
  private static final int PLATFORM_WRITERS = 4;

  /** Of all writers; the last is a virtual thread, which no other keeps from its carrier. */
  private static final int WRITERS = PLATFORM_WRITERS + 1;

  /** What a writer does after it has met the new mode. */
  private static final int WRITES_AFTER = 20_000;

  private final ContextSnapshot snapshot = new ContextSnapshot();

  @BeforeEach
  void initialize() {
    assertThat(ContextApi.initialize("ctxstorage=profiler,attributes=route;user")).isTrue();
  }

  @AfterEach
  void shutdown() {
    ContextApi.shutdown();
  }

  @ParameterizedTest
  @EnumSource(names = {"OTEL", "OTEP"})
  void threadsThatWriteMeanwhileReadTheirOwnOrNothing(ContextStorageMode mode)
      throws InterruptedException {
    CountDownLatch writing = new CountDownLatch(WRITERS);
    AtomicLong wrong = new AtomicLong();
    AtomicLong lostAfterwards = new AtomicLong();
    List<Thread> writers = new ArrayList<>();
    for (int i = 1; i <= WRITERS; i++) {
      long id = i;
      Runnable writer = () -> write(mode, id, writing, wrong, lostAfterwards);
      Thread.Builder kind = i <= PLATFORM_WRITERS ? Thread.ofPlatform() : Thread.ofVirtual();
      writers.add(kind.start(writer));
    }
    writing.await();

    assertThat(ContextApi.initialize(ContextOptions.of(mode))).isTrue();

    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(wrong).as("contexts of others").hasValue(0);
    assertThat(lostAfterwards).as("contexts that the new mode did not hold").hasValue(0);
    assertThat(ContextApi.getMode()).isEqualTo(mode);
    assertThat(published("sennit.thread_storage")).isEqualTo(AttributeValue.of(mode.optionValue()));
  }

  private static void write(
      ContextStorageMode mode,
      long id,
      CountDownLatch writing,
      AtomicLong wrong,
      AtomicLong lostAfterwards) {
    ContextSnapshot own = new ContextSnapshot();
    for (int n = 0, after = 0; after < WRITES_AFTER; n++) {
      boolean replaced = ContextApi.getMode() == mode;
      ContextApi.set(id, -id, id << 32 | n, -id, 1);
      if (ContextApi.get(own)) {
        boolean isOwn =
            own.traceIdHigh() == id && own.traceIdLow() == -id && own.spanId() == (id << 32 | n);
        wrong.addAndGet(isOwn ? 0 : 1);
      } else if (replaced) {
        lostAfterwards.incrementAndGet();
      }
      after += replaced ? 1 : 0;
      if (n == 0) {
        writing.countDown();
      }
    }
  }

  @Test
  void whatIsCurrentShowsFromTheNextChangeOn() {
    ContextApi.setOtel(1, 2, 3, 1);
    assertThat(ContextApi.initialize("ctxstorage=otel")).isTrue();
    assertThat(ContextApi.get(snapshot)).isFalse();

    ContextApi.setOtel(1, 2, 4, 1);

    assertThat(ContextApi.getByTid(OsThread.id(), snapshot)).isTrue();
    assertThat(snapshot.spanId()).isEqualTo(4);
  }

  @Test
  void keysStayAnnouncedInTheirOrderAndThoseThatAreHeldCanBeUsed() {
    AttributeKey user = ContextApi.announce("user");

    assertThat(ContextApi.initialize("ctxstorage=otep,attributes=tier;route")).isTrue();

    assertThat(published("threadlocal.attribute_key_map"))
        .isEqualTo(
            AttributeValue.ofStrings(
                List.of("sennit.local_root_span_id", "route", "user", "tier")));
    ContextApi.set(1, 2, 3, 4, 1);
    assertThat(ContextApi.setAttribute(user, "u1")).isEqualTo(AttributeOutcome.SET);
    assertThat(ContextApi.setAttribute("route", "/cart")).isEqualTo(AttributeOutcome.SET);
    assertThat(ContextApi.getAttribute(user)).isEqualTo("u1");
    assertThat(ContextApi.getAttribute(ContextApi.announce("user"))).isEqualTo("u1");
    assertThat(ContextApi.get(snapshot)).isTrue();
    assertThat(snapshot.rootSpanId()).isEqualTo(4);
  }

  @Test
  void attributesThatAVirtualThreadHasTakenAlongGetTheirNewPlaces() throws InterruptedException {
    ThreadLocal<VirtualThreadContext> contexts = ContextApi.followVirtualThreads();
    CountDownLatch set = new CountDownLatch(1);
    CountDownLatch replaced = new CountDownLatch(1);
    List<String> seen = new ArrayList<>();
    Thread virtual =
        Thread.startVirtualThread(
            () -> {
              ContextApi.set(1, 2, 3, 4, 1);
              ContextApi.setAttribute("route", "/cart");
              ContextApi.onUnmount();
              set.countDown();
              awaitOn(replaced);
              ContextApi.onMount(contexts.get());
              ContextSnapshot own = new ContextSnapshot();
              ContextApi.get(own);
              seen.add(Long.toString(own.rootSpanId()));
              AttributeKey route = new AttributeKey("route", 0);
              seen.add(String.valueOf(ContextApi.getAttribute(route)));
              ContextApi.clear();
            });
    set.await();
    ContextApi.initialize("ctxstorage=otep");
    replaced.countDown();
    virtual.join();

    assertThat(seen).containsExactly("4", "/cart");
  }

  private static void awaitOn(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aModeThatIsNotToBeHadLeavesTheOneThatRuns() {
    try (ChildProcess child =
        ChildProcess.start(
            ChildProcess.javaCommand(List.of("-Dsennit.native=off"), Refused.class))) {
      assertThat(child.readAll())
          .containsExactly("refused: ctxstorage=otep is not available", "PROFILER 1 /cart");
      assertThat(child.waitFor()).isZero();
    }
  }

  /** The child: asks for what needs the native library. */
  static final class Refused {
    private Refused() {}

    public static void main(String[] arguments) {
      ContextApi.initialize("ctxstorage=profiler,attributes=route");
      ContextApi.set(1, 2);
      ContextApi.setAttribute("route", "/cart");
      try {
        ContextApi.initialize("ctxstorage=otep");
      } catch (IllegalStateException e) {
        System.out.println("refused: " + String.valueOf(e.getMessage()).replaceAll(":.*", ""));
      }
      System.out.println(
          ContextApi.getMode()
              + " "
              + ContextApi.spanId()
              + " "
              + ContextApi.getAttribute(ContextApi.announce("route")));
    }
  }

  private static AttributeValue published(String key) {
    AttributeValue value =
        PublishedAttributes.of(ProcessHandle.current().pid()).attributes().get(key);
    if (value == null) {
      throw new AssertionError(key + " is not published");
    }
    return value;
  }
}
