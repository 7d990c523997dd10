/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.correlation.engine.ThreadNames;
import dev.sennit.correlation.record.NativeName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class HostThreadsTest {
  /** No process has this number. */
  private static final int PID = Integer.MAX_VALUE;

  private static final NativeName WORKER = NativeName.ofJava("worker-1");
  private static final NativeName OTHER = NativeName.ofJava("worker-2");
  private static final long SECOND = 1_000_000_000;

  private final HostThreads threads = new HostThreads();

  @Test
  void aThreadThatHasEndedWasCalledSoUntilThen() {
    threads.named(PID, 7, WORKER, 100);
    threads.named(PID, 7, NativeName.NONE, 200);

    assertThat(threads.tidOf(PID, WORKER, 99)).isEqualTo(ThreadNames.NONE);
    assertThat(threads.tidOf(PID, WORKER, 100)).isEqualTo(7);
    assertThat(threads.tidOf(PID, WORKER, 199)).isEqualTo(7);
    assertThat(threads.tidOf(PID, WORKER, 200)).isEqualTo(ThreadNames.NONE);
    assertThat(threads.tidOf(PID, OTHER, 150)).isEqualTo(ThreadNames.NONE);
  }

  @Test
  void aNameThatIsUsedAgainIsWhoseItWasThen() {
    threads.named(PID, 7, WORKER, 100);
    threads.named(PID, 7, OTHER, 200);
    threads.named(PID, 8, WORKER, 200);

    assertThat(threads.tidOf(PID, WORKER, 150)).isEqualTo(7);
    assertThat(threads.tidOf(PID, WORKER, 250)).isEqualTo(8);
    assertThat(threads.tidOf(PID, OTHER, 250)).isEqualTo(7);
  }

  @Test
  void aNameThatTwoHaveAtATimeIsNobodys() {
    threads.named(PID, 7, NativeName.ofJava("pool-1-thread-10"), 100);
    threads.named(PID, 8, NativeName.ofJava("pool-1-thread-11"), 200);
    NativeName cut = NativeName.ofJava("pool-1-thread-11");

    assertThat(threads.tidOf(PID, cut, 150)).isEqualTo(7);
    assertThat(threads.tidOf(PID, cut, 250)).isEqualTo(ThreadNames.SEVERAL);
  }

  @Test
  void whatEndedLongAgoIsForgotten() {
    threads.named(PID, 7, WORKER, SECOND);
    threads.named(PID, 7, NativeName.NONE, 2 * SECOND);
    threads.named(PID, 8, OTHER, 60 * SECOND);

    assertThat(threads.tidOf(PID, WORKER, SECOND)).isEqualTo(ThreadNames.NONE);
  }

  @Test
  void threadsFromBeforeAreLookedUp() throws Exception {
    int self = (int) ProcessHandle.current().pid();
    byte[] line = Files.readAllBytes(Path.of("/proc/self/task/" + self + "/comm"));
    byte[] name = Arrays.copyOf(line, line.length - 1);

    assertThat(threads.tidOf(self, NativeName.of(name), 100)).isNotEqualTo(ThreadNames.NONE);
  }
}
