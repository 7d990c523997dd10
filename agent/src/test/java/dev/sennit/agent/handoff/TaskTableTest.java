/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.thread.ContextSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TaskTableTest {
  private final TaskTable table = new TaskTable();

  private static ContextSnapshot context(long number) {
    return ContextSnapshot.of(1, number, number, 1);
  }

  @Test
  void whatIsPutIsTakenOnce() {
    Object task = new Object();
    ContextSnapshot context = context(1);
    table.put(task, context);

    assertThat(table.take(new Object())).isNull();
    assertThat(table.take(task)).isSameAs(context);
    assertThat(table.take(task)).isNull();
    assertThat(table.size()).isZero();
  }

  @Test
  void theSameTaskForDifferentRequestsIsNobodys() {
    Object task = new Object();
    table.put(task, context(1));
    table.put(task, context(2));

    assertThat(table.take(task)).isNull();
    assertThat(table.take(task)).isNull();
    assertThat(table.size()).isZero();
  }

  @Test
  void theSameTaskTwiceForOneRequestIsThatRequests() {
    Object task = new Object();
    table.put(task, context(1));
    table.put(task, context(1));

    assertThat(table.take(task)).isNotNull();
    assertThat(table.take(task)).isNotNull();
    assertThat(table.take(task)).isNull();
  }

  @Test
  void whatIsKnownByTheSameObjectIsToldApart() {
    Object promise = new Object();
    table.put(promise, 1, context(7));
    table.put(promise, 2, context(8));
    assertThat(table.take(promise)).isNull();
    assertThat(table.take(promise, 2)).extracting(ContextSnapshot::spanId).isEqualTo(8L);
    assertThat(table.take(promise, 1)).extracting(ContextSnapshot::spanId).isEqualTo(7L);
  }

  @Test
  void aConstantThatIsHandedOverAgainAndAgainIsNobodysForGood() {
    Object task = new Object();
    for (int i = 0; i < 10_000; i++) {
      table.put(task, context(7));
    }
    assertThat(table.size()).isLessThan(10);
    assertThat(table.take(task)).isNull();
    table.put(task, context(8));
    assertThat(table.take(task)).isNull();
  }

  @Test
  void aTaskThatIsForgottenTakesItsEntryWithIt() throws InterruptedException {
    ContextSnapshot context = context(1);
    for (int i = 0; i < 10_000; i++) {
      table.put(new Object(), context);
    }
    for (int i = 0; i < 100 && table.size() > 0; i++) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertThat(table.size()).isZero();
  }

  @Test
  void nothingIsLostOrMixedUpByManyThreads() throws Exception {
    List<Callable<Integer>> workers = new ArrayList<>();
    for (int worker = 1; worker <= 4; worker++) {
      ContextSnapshot context = context(worker);
      workers.add(() -> putAndTake(context));
    }
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      for (Future<Integer> wrong : pool.invokeAll(workers)) {
        assertThat(wrong.get()).isZero();
      }
    }
    assertThat(table.size()).isZero();
  }

  /** In batches, so that entries of all workers meet in the same lists. */
  private int putAndTake(ContextSnapshot context) {
    int wrong = 0;
    for (int batch = 0; batch < 20; batch++) {
      List<Object> tasks = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        Object task = new Object();
        tasks.add(task);
        table.put(task, context);
      }
      for (Object task : tasks) {
        wrong += table.take(task) == context ? 0 : 1;
      }
    }
    return wrong;
  }
}
