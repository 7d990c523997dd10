/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.association;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.Memory;
import dev.sennit.context.memory.OsThread;
import dev.sennit.context.thread.ContextApi;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SampleAssociationTest {
  private static final String A = "00-0000000000000001000000000000000a-000000000000000a-01";
  private static final String B = "00-0000000000000001000000000000000b-000000000000000b-01";

  private final Samples samples = new Samples();
  private final SampleAssociation association = new SampleAssociation(samples);

  /** Samples that are taken when a test says so; the clock goes on at every look. */
  private static final class Samples implements SampleClock {
    private final ConcurrentHashMap<Integer, Long> data = new ConcurrentHashMap<>();
    private final AtomicLong clock = new AtomicLong(100);
    private final List<String> spans = Collections.synchronizedList(new ArrayList<>());
    private final List<String> open = Collections.synchronizedList(new ArrayList<>());

    @Override
    public long threadData() {
      return data.computeIfAbsent(
          OsThread.id(), tid -> Arena.global().allocate(Long.BYTES, Long.BYTES).address());
    }

    /** Takes a sample on the calling thread; returns its time. */
    long take() {
      long time = clock.incrementAndGet();
      Memory.putLong(threadData(), time);
      return time;
    }

    @Override
    public long now() {
      return clock.incrementAndGet();
    }

    @Override
    public void emitSpan(long start, long end, String traceparent) {
      spans.add(start + "-" + end + " " + traceparent);
    }

    @Override
    public void emitOpenContext(String text) {
      open.add(text);
    }
  }

  @Test
  void withoutSamplesThereIsNothingToSay() {
    change('a');
    change('b');
    change(0);

    assertThat(samples.spans).isEmpty();
  }

  @Test
  void samplesBelongToTheContextThatEnds() {
    change('a'); // 101: the thread is seen; 102
    change('b'); // 103
    samples.take(); // 104
    change('a'); // 105; 106, for there was a sample
    samples.take(); // 107
    samples.take(); // 108
    change(0); // 109; 110

    assertThat(samples.spans).containsExactly("104-106 " + B, "107-110 " + A);
  }

  @Test
  void samplesBeforeAContextAreNotOfIt() {
    samples.take(); // 101
    change('a'); // 102; 103
    change(0); // 104
    samples.take(); // 105
    change('b'); // 106; 107
    samples.take(); // 108
    change(0); // 109; 110

    assertThat(samples.spans).containsExactly("108-110 " + B);
  }

  /** A timer counts samples of a thread that waits, of which the thread knows nothing. */
  @Test
  void whatIsCountedBeforeAContextBeginsIsNotOfIt() {
    change('a');
    samples.take();
    change(0);
    long counted = samples.now();
    change('b');
    samples.take();
    change(0);

    assertThat(samples.spans).hasSize(2).last().asString().endsWith(B);
    assertThat(startOf(samples.spans.getLast())).isGreaterThan(counted);
  }

  @Test
  void theClockIsLeftAloneWhenAThreadMustHaveRunForLong() {
    for (int i = 0; i < 2000; i++) {
      change('a');
      change('b');
    }
    long looks = samples.now();
    assertThat(looks).isLessThan(1000);
    long sample = samples.take();
    change(0);
    assertThat(startOf(samples.spans.getLast())).isLessThanOrEqualTo(sample);
    assertThat(samples.spans).singleElement().asString().endsWith(B);
  }

  private static long startOf(String span) {
    return Long.parseLong(span.substring(0, span.indexOf('-')));
  }

  @Test
  void aContextThatIsSetAgainGoesOn() {
    change('a'); // 101; 102
    samples.take(); // 103
    change('a');
    samples.take(); // 104
    change(0); // 105; 106

    assertThat(samples.spans).containsExactly("103-106 " + A);
  }

  @Test
  void openContextsAreThoseOfLivingThreads() throws InterruptedException {
    change('a'); // 101; 102
    CountDownLatch isSet = new CountDownLatch(1);
    CountDownLatch ending = new CountDownLatch(1);
    Thread alive =
        Thread.ofPlatform()
            .start(
                () -> {
                  change('b'); // 103; 104
                  isSet.countDown();
                  awaitQuietly(ending);
                });
    isSet.await();
    Thread dead = Thread.ofPlatform().start(() -> change('b'));
    dead.join();

    int count = association.recordOpenContexts(); // 107

    assertThat(count).isEqualTo(2);
    assertThat(samples.open).contains(OsThread.id() + ",102,107," + A);
    assertThat(samples.open).anyMatch(text -> text.endsWith(",104,107," + B));
    ending.countDown();
    alive.join();
    assertThat(association.recordOpenContexts()).isEqualTo(1);
  }

  @Test
  void aVirtualThreadsSamplesAreFoundOnItsCarrier() throws InterruptedException {
    ContextApi.followVirtualThreads();
    Thread.ofVirtual()
        .start(
            () -> {
              change('a'); // the carrier is seen
              change('b');
              samples.take();
              change(0);
            })
        .join();

    assertThat(samples.spans).singleElement().asString().endsWith(B);
  }

  private void change(int span) {
    if (span == 0) {
      association.changed(0, 0, 0, 0);
    } else {
      long id = span - 'a' + 0xaL;
      association.changed(1, id, id, 1);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
