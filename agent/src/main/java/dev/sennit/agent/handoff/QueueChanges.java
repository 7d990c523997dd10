/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** Changes of pools and of the queues in which their tasks wait, for {@link QueuedTasks}. */
final class QueueChanges {
  private static final ClassDesc POOL = ClassDesc.of("java.util.concurrent.ThreadPoolExecutor");
  private static final ClassDesc ANY_QUEUE = ClassDesc.of("java.util.concurrent.BlockingQueue");
  private static final MethodTypeDesc TWO_TO_ONE =
      MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_Object, ConstantDescs.CD_Object);

  private QueueChanges() {}

  /** A pool is given a task, its first parameter. */
  static MethodChange attach(String function) {
    return MethodChange.first(
        (code, _) ->
            code.aload(0)
                .getfield(POOL, "workQueue", ANY_QUEUE)
                .aload(1)
                .invokestatic(MethodChange.BRIDGE, function, MethodChange.TWO_OBJECTS));
  }

  /** The method puts its first parameter into a new node of the queue. */
  static MethodChange put() {
    return _ ->
        (code, element) -> {
          code.with(element);
          if (element instanceof InvokeInstruction call
              && call.name().equalsString(ConstantDescs.INIT_NAME)
              && call.owner().asSymbol().equals(QueuedTasks.NODE)) {
            code.aload(1)
                .invokestatic(MethodChange.BRIDGE, "nodeOf", TWO_TO_ONE)
                .checkcast(QueuedTasks.NODE);
          }
        };
  }

  /** The method takes the item of the node behind the head, which has none. */
  static MethodChange taken() {
    return MethodChange.first(
        (code, _) ->
            code.aload(0)
                .getfield(QueuedTasks.QUEUE_TYPE, "head", QueuedTasks.NODE)
                .getfield(QueuedTasks.NODE, "next", QueuedTasks.NODE)
                .invokestatic(MethodChange.BRIDGE, "taken", MethodChange.ONE_OBJECT));
  }
}
