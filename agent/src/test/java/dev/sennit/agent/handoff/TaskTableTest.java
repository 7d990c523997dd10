/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.thread.ContextSnapshot;
import org.junit.jupiter.api.Test;

class TaskTableTest {
  private final TaskTable tasks = new TaskTable();

  private static ContextSnapshot context(long number) {
    return ContextSnapshot.of(1, number, number, 1);
  }

  @Test
  void aTaskIsTakenOnce() {
    Object task = new Object();
    ContextSnapshot context = context(7);
    tasks.put(task, context);
    assertThat(tasks.take(new Object())).isNull();
    assertThat(tasks.take(task)).isSameAs(context);
    assertThat(tasks.take(task)).isNull();
    assertThat(tasks.size()).isZero();
  }

  @Test
  void whatIsKnownByTheSameObjectIsToldApart() {
    Object promise = new Object();
    tasks.put(promise, 1, context(7));
    tasks.put(promise, 2, context(8));
    assertThat(tasks.take(promise)).isNull();
    assertThat(tasks.take(promise, 2)).extracting(ContextSnapshot::spanId).isEqualTo(8L);
    assertThat(tasks.take(promise, 1)).extracting(ContextSnapshot::spanId).isEqualTo(7L);
  }

  @Test
  void aTaskOfTwoRequestsIsNobodys() {
    Object task = new Object();
    tasks.put(task, context(7));
    tasks.put(task, context(8));
    assertThat(tasks.take(task)).isNull();
    assertThat(tasks.take(task)).isNull();
    tasks.put(task, context(9));
    assertThat(tasks.take(task)).extracting(ContextSnapshot::spanId).isEqualTo(9L);
  }

  @Test
  void aConstantThatIsHandedOverAgainAndAgainIsNobodysForGood() {
    Object task = new Object();
    for (int i = 0; i < 10_000; i++) {
      tasks.put(task, context(7));
    }
    assertThat(tasks.size()).isLessThan(10);
    assertThat(tasks.take(task)).isNull();
    tasks.put(task, context(8));
    assertThat(tasks.take(task)).isNull();
  }

  @Test
  void aTaskThatIsForgottenLeavesNothing() throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      tasks.put(new Object(), context(7));
    }
    while (tasks.size() > 0) {
      System.gc();
      Thread.sleep(10);
    }
  }
}
