/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.torn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.bench.torn.Hunt.Quarry;
import dev.sennit.context.memory.ProcessMemory;
import dev.sennit.context.reader.ThreadRecordReader;
import dev.sennit.testing.Requires;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The short form of {@link TornReads}. */
@Requires
class TornReadsTest {
  /** By then a machine has read so little that something else is wrong. */
  private static final Duration CAP = Duration.ofMinutes(2);

  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class FromAnotherProcess {
    private final HammeredProcess writer = HammeredProcess.start();
    private final ProcessMemory memory = ProcessMemory.of(writer.pid());

    @AfterAll
    void end() {
      memory.close();
      writer.close();
    }

    @Test
    void theControlWordBeforeAndAfterTheIdsKeepsTornOnesOut() {
      assertMet(OutsideReaders.controlWord(memory, writer.ring()), Quarry.NOTHING, 1_000_000);
    }

    @Test
    void theReaderOfThreadRecordsTakesNothingTorn() {
      try (ThreadRecordReader reader =
          ThreadRecordReader.open(writer.pid(), OutsideReaders.published(writer.ring()))) {
        assertMet(OutsideReaders.product(reader), Quarry.NOTHING, 100_000);
      }
    }

    @Test
    void theSeedsReaderTakesTornOnesWhichShowsThatThisTestCan() {
      assertMet(OutsideReaders.flagOnly(memory, writer.ring()), Quarry.SOMETHING, 1);
    }
  }

  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class InTheSameProcess {
    private final HammeredRing ring = HammeredRing.start();

    @AfterAll
    void end() {
      ring.close();
    }

    @Test
    void readingASlotByTheProtocolTakesNothingTorn() {
      assertMet(InsideReaders.controlWord(ring.address()), Quarry.NOTHING, 20_000_000);
    }

    @Test
    void theSeedsReaderTakesTornOnesWhichShowsThatThisTestCan() {
      assertMet(InsideReaders.flagOnly(ring.address()), Quarry.SOMETHING, 1);
    }
  }

  private static void assertMet(RingPass pass, Quarry quarry, long fewestAccepted) {
    Hunt hunt = new Hunt("", pass, quarry, fewestAccepted);
    Tally tally = hunt.run(Duration.ZERO, CAP);
    assertThat(hunt.isMet(tally))
        .as("%d accepted, %d torn, %d writes", tally.accepted(), tally.torn(), tally.writes())
        .isTrue();
  }
}
