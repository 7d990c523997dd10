/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import static dev.sennit.context.reader.Readings.malformed;
import static dev.sennit.context.reader.Readings.threads;
import static dev.sennit.context.reader.Readings.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.testing.Requires;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requires(commands = "gcc")
class RingReaderTest {
  @TempDir static Path folder;
  private static Path program;

  @BeforeAll
  static void compile() {
    program = RingPublisher.compile(folder);
  }

  @Test
  void readsIdsFlagsAndNamesOfAllThreadsByTheirTids() {
    try (var publisher = RingPublisher.start(program, "threads=5", "idle=3");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      ThreadReading.Threads reading = threads(reader.read());

      assertThat(reading.unsettled()).isZero();
      assertThat(reading.threads())
          .containsExactlyElementsOf(publisher.records())
          .extracting(ThreadRecord::name)
          .containsExactly("worker-0", "worker-1", "worker-2", "worker-3", "worker-4");
      assertThat(reader.stopsThreads()).isFalse();
    }
  }

  @Test
  void findsTheRingByItsMagicWhenNothingIsPublished() {
    try (var publisher = RingPublisher.start(program, "threads=2");
        var reader = ThreadRecordReader.open(publisher.pid(), RingPublisher.NOTHING_PUBLISHED)) {
      assertThat(threads(reader.read()).threads()).containsExactlyElementsOf(publisher.records());
    }
  }

  @Test
  void regionsThatCannotBeReadDoNotHideTheRing() {
    try (var publisher = RingPublisher.start(program, "threads=1", "guards=200");
        var reader = ThreadRecordReader.open(publisher.pid(), RingPublisher.NOTHING_PUBLISHED)) {
      assertThat(threads(reader.read()).threads()).containsExactlyElementsOf(publisher.records());
    }
  }

  @Test
  void readsThroughTheFileOfTheProcessMemoryAlone() {
    try (var publisher = RingPublisher.start(program, "threads=40", "stuck=1");
        var reader =
            ThreadRecordReader.open(
                ProcessMemory.throughFile(publisher.pid()), RingPublisher.NOTHING_PUBLISHED)) {
      ThreadReading.Threads reading = threads(reader.read());

      assertThat(reading.threads()).containsExactlyElementsOf(publisher.records());
      assertThat(reading.unsettled()).isEqualTo(1);
    }
  }

  @Test
  void followsWhatThreadsDoFromRefreshToRefresh() {
    try (var publisher = RingPublisher.start(program, "threads=3");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      List<Integer> tids = publisher.tids();
      assertThat(threads(reader.read()).threads()).hasSize(3);

      publisher.tell("clear " + tids.get(1));
      assertThat(threads(reader.read()).threads())
          .containsExactlyElementsOf(publisher.records(tids.get(0), tids.get(2)));

      publisher.tell("set " + tids.get(1));
      assertThat(threads(reader.read()).threads()).containsExactlyElementsOf(publisher.records());
    }
  }

  @Test
  void readsChosenThreadsAlone() {
    try (var publisher = RingPublisher.start(program, "threads=6");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      List<Integer> tids = publisher.tids();

      assertThat(threads(reader.read(tids.get(4), tids.get(1))).threads())
          .containsExactlyElementsOf(publisher.records(tids.get(1), tids.get(4)));
      assertThat(threads(reader.read(1, 0, -7)).threads()).isEmpty();
      assertThat(threads(reader.read(new int[0])).threads()).isEmpty();
    }
  }

  @Test
  void threadsThatShareASlotNeverShowEachOthersIds() {
    try (var publisher = RingPublisher.start(program, "capacity=1", "threads=4");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      int last = publisher.tids().getLast();

      assertThat(threads(reader.read()).threads())
          .containsExactlyElementsOf(publisher.records(last));
      assertThat(threads(reader.read(publisher.tids().getFirst())).threads()).isEmpty();
      assertThat(threads(reader.read(last)).threads()).hasSize(1);
    }
  }

  @Test
  void aSlotThatStaysInUseIsCountedAndKeepsNobodyWaiting() {
    try (var publisher = RingPublisher.start(program, "threads=2", "stuck=400");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      ThreadReading.Threads reading = threads(reader.read());

      assertThat(reading.threads()).containsExactlyElementsOf(publisher.records());
      assertThat(reading.unsettled()).isEqualTo(400);
    }
  }

  @Test
  void aSlotThatIsWrittenWithoutPauseYieldsWholeIdsOrNone() {
    try (var publisher = RingPublisher.start(program, "threads=2", "hammering=1");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      for (int i = 0; i < 2_000; i++) {
        ThreadReading.Threads reading = threads(reader.read());
        int hammering = reading.threads().size() - 2;
        assertThat(hammering + reading.unsettled()).isEqualTo(1);
        for (ThreadRecord thread : reading.threads()) {
          if (!publisher.tids().contains(thread.tid())) {
            assertThat(thread.traceIdHigh()).isEqualTo(thread.spanId());
            assertThat(thread.traceIdLow()).isEqualTo(thread.spanId());
          }
        }
      }
    }
  }

  @Test
  void largeRingsAreReadInWindows() {
    try (var publisher = RingPublisher.start(program, "capacity=4194304", "threads=10");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      assertThat(threads(reader.read()).threads()).containsExactlyElementsOf(publisher.records());
    }
  }

  @Test
  void slotsOfThreadsThatDoNotExistHaveNoName() {
    try (var publisher = RingPublisher.start(program, "threads=0", "forged=1");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      assertThat(threads(reader.read()).threads())
          .containsExactly(new ThreadRecord(1, "", 1, 1, 1, 1, 0, Map.of()));
    }
  }

  @Test
  void everySlotInUseIsReadAndMoreThanThereCanBeThreadsIsMalformed() {
    try (var publisher = RingPublisher.start(program, "threads=0", "forged=65536");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      assertThat(threads(reader.read()).threads()).hasSize(65_536);
    }
    try (var publisher =
            RingPublisher.start(program, "threads=0", "capacity=4194304", "forged=4000000");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      assertThat(malformed(reader.read()))
          .isEqualTo(
              "more than 131072 slots of the ring at 0x%x are in use"
                  .formatted(publisher.address()));
    }
  }

  @Test
  void aRingThatIsSpoiledOrUnmappedIsLookedForAgain() {
    try (var publisher = RingPublisher.start(program, "threads=2");
        var published = ThreadRecordReader.open(publisher.pid(), publisher.context());
        var scanned = ThreadRecordReader.open(publisher.pid(), RingPublisher.NOTHING_PUBLISHED)) {
      threads(published.read());
      threads(scanned.read());

      publisher.tell("spoil");
      assertThat(malformed(published.read())).startsWith("magic 0x00000000 of the ring at 0x");
      assertThat(unavailable(scanned.read())).contains("anonymous regions starts with a ring");

      publisher.tell("unmap");
      assertThat(malformed(published.read()))
          .isEqualTo(
              "sennit.thread_ring.address 0x%x is not in a readable mapping"
                  .formatted(publisher.address()));
    }
  }

  @Test
  void aProcessThatEndsWhileItIsReadIsSaidToBeGone() {
    try (var publisher = RingPublisher.start(program, "threads=50");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      threads(reader.read());
      publisher.quit();
      ThreadReading reading = reader.read();
      while (reading instanceof ThreadReading.Threads) {
        reading = reader.read();
      }
      assertThat(unavailable(reading)).isEqualTo("process " + publisher.pid() + " does not exist");
    }
  }

  @Test
  void headersThatBreakTheFormatAreMalformedByFieldAndValue() {
    String where = " of the ring at 0x";
    assertThat(readMalformed("header_capacity=4294967295"))
        .startsWith("capacity 4294967295" + where)
        .endsWith("is not between 1 and 4194304");
    assertThat(readMalformed("slot_size=16"))
        .startsWith("slot_size 16" + where)
        .endsWith(" is not 32");
    assertThat(readMalformed("version=9")).startsWith("version 9" + where).endsWith(" is not 1");
    assertThat(readMalformed("header_capacity=4194304"))
        .startsWith("capacity 4194304" + where)
        .contains(" needs 134217760 bytes, and its mapping has ");
  }

  /** Both by scan and by address; the answers must be alike. */
  private static String readMalformed(String option) {
    try (var publisher = RingPublisher.start(program, option);
        var scanned = ThreadRecordReader.open(publisher.pid(), RingPublisher.NOTHING_PUBLISHED);
        var published = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      String reason = malformed(scanned.read());
      assertThat(malformed(published.read())).isEqualTo(reason);
      return reason;
    }
  }

  @Test
  void publishedAddressesThatLeadNowhereAreMalformed() {
    try (var publisher = RingPublisher.start(program)) {
      for (long wild : new long[] {0, 0x10, -1, Long.MIN_VALUE, 0xffffffffff600000L}) {
        assertThat(readMalformed(publisher, RingPublisher.contextWith(wild, 65_536)))
            .isEqualTo(
                "sennit.thread_ring.address 0x%x is not in a readable mapping".formatted(wild));
      }
      long address = publisher.address();
      assertThat(readMalformed(publisher, RingPublisher.contextWith(address + 4, 65_536)))
          .isEqualTo("sennit.thread_ring.address 0x%x is not aligned".formatted(address + 4));
      assertThat(readMalformed(publisher, RingPublisher.contextWith(address + 32, 65_536)))
          .startsWith("magic 0x");
      assertThat(readMalformed(publisher, RingPublisher.contextWith(address, 7)))
          .isEqualTo(
              "capacity 65536 of the ring at 0x%x is not the published sennit.thread_ring.capacity 7"
                  .formatted(address));
    }
  }

  private static String readMalformed(RingPublisher publisher, ProcessContext context) {
    try (var reader = ThreadRecordReader.open(publisher.pid(), context)) {
      return malformed(reader.read());
    }
  }

  @Test
  @Requires(
      root = true,
      commands = {"gcc", "unshare"})
  void inAPidNamespaceThreadsAreReportedByOurTids() {
    try (var publisher = RingPublisher.startInNamespace(program, "threads=4");
        var reader = ThreadRecordReader.open(publisher.pid(), publisher.context())) {
      // The first process of its namespace: it calls its first thread 2.
      assertThat(publisher.tids()).containsExactly(2, 3, 4, 5);

      List<ThreadRecord> threads = threads(reader.read()).threads();

      assertThat(threads)
          .extracting(ThreadRecord::spanId)
          .containsExactly(
              publisher.records().stream().map(ThreadRecord::spanId).toArray(Long[]::new));
      assertThat(threads)
          .extracting(ThreadRecord::name)
          .containsExactly("worker-0", "worker-1", "worker-2", "worker-3");
      assertThat(threads)
          .extracting(ThreadRecord::tid)
          .isSortedAccordingTo(Comparator.naturalOrder())
          .allMatch(tid -> tid > 5);
      int third = threads.get(2).tid();
      assertThat(threads(reader.read(third)).threads()).containsExactly(threads.get(2));
    }
  }
}
