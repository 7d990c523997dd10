/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.testing.Requires;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The way that is taken with an old libc, beside the functions of the one that is here. */
@Requires
class SystemCallTest {
  private static final int THREADS = 20;

  private static int tidByCall() {
    try {
      return (int) OsThread.systemCall().orElseThrow().invokeExact();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aThreadsIdIsTheOneOfGettidAndOfTheKernel() throws InterruptedException {
    ConcurrentLinkedQueue<List<Integer>> seen = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(() -> seen.add(List.of(tidByCall(), OsThread.id(), tidByKernel()))));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(seen)
        .hasSize(THREADS)
        .allSatisfy(ids -> assertThat(ids).doesNotContain(0).containsOnly(ids.getFirst()));
  }

  private static int tidByKernel() {
    return done(
        () ->
            Integer.parseInt(
                Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString()));
  }

  @Test
  void aVirtualThreadGetsTheIdOfItsCarrier() throws InterruptedException {
    List<Integer> seen = new ArrayList<>();
    Thread.ofVirtual().start(() -> seen.addAll(List.of(tidByCall(), OsThread.id()))).join();

    assertThat(seen).hasSize(2).containsOnly(seen.getFirst()).doesNotContain(0);
  }

  @Test
  void memoryMadeByTheCallIsLikeThatOfTheFunction() {
    @Nullable MethodHandle call = Libc.memfdCreateCall();
    long made = Libc.memfdCreate(call, "made-by-number", Libc.MFD_CLOEXEC);
    try {
      assertThat(made).isPositive();
      Path link = Path.of("/proc/self/fd/" + made);
      assertThat(done(() -> Files.readSymbolicLink(link)).toString())
          .isEqualTo("/memfd:made-by-number (deleted)");
      assertThat(Libc.ftruncate((int) made, 4096)).isZero();
      assertThat(done(() -> Files.size(link))).isEqualTo(4096);
    } finally {
      Libc.close((int) made);
    }
  }

  @Test
  void whatTheKernelRefusesIsTheNegativeErrorNumber() {
    int unknownFlags = 1 << 20;

    assertThat(Libc.memfdCreate(Libc.memfdCreateCall(), "refused", unknownFlags))
        .isEqualTo(-Errno.EINVAL)
        .isEqualTo(Libc.memfdCreate("refused", unknownFlags));
  }

  private static <T> T done(Callable<T> action) {
    try {
      return action.call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
