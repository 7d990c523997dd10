/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.thread.ThreadPlaces.Place;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ThreadPlacesTest {
  private final AtomicInteger searches = new AtomicInteger();
  private final ThreadPlaces places =
      new ThreadPlaces(
          threadId -> {
            searches.incrementAndGet();
            return new Place(threadId, threadId * 32, (int) threadId);
          });

  @Test
  void aThreadLooksForItsPlaceOnce() {
    assertThat(places.current())
        .isEqualTo(place(Thread.currentThread().threadId()))
        .isSameAs(places.current());
    assertThat(searches).hasValue(1);
  }

  @Test
  void threadsThatShareAnEntryOfTheTableKeepTheirOwnPlaces() throws Exception {
    CyclicBarrier allFound = new CyclicBarrier(3);
    try (ExecutorService threads = Executors.newFixedThreadPool(3, ThreadPlacesTest::apart)) {
      List<Future<Boolean>> kept =
          Stream.generate(() -> threads.submit(() -> keepsItsPlace(allFound))).limit(3).toList();
      for (Future<Boolean> each : kept) {
        assertThat(each.get()).isTrue();
      }
    }
    assertThat(searches).hasValue(3);
  }

  private boolean keepsItsPlace(CyclicBarrier allFound) throws Exception {
    Place own = place(Thread.currentThread().threadId());
    boolean found = own.equals(places.current());
    allFound.await();
    return found && own.equals(places.current());
  }

  /**
   * A thread whose id has the same lower bits as that of the one before it: ids are consecutive.
   */
  private static Thread apart(Runnable work) {
    for (int i = 1; i < 4096; i++) {
      Thread.ofPlatform().unstarted(() -> {});
    }
    return Thread.ofPlatform().unstarted(work);
  }

  @Test
  void aVirtualThreadHasNone() throws InterruptedException {
    AtomicInteger none = new AtomicInteger();
    Thread.ofVirtual()
        .start(
            () -> {
              if (places.current() == null) {
                none.incrementAndGet();
              }
            })
        .join();
    assertThat(none).hasValue(1);
    assertThat(searches).hasValue(0);
  }

  private static Place place(long threadId) {
    return new Place(threadId, threadId * 32, (int) threadId);
  }
}
