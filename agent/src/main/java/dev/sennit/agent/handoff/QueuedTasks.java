/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextSnapshot;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The contexts of tasks that wait in a {@code LinkedBlockingQueue}, which is the queue of most
 * pools: each is in the queue's own node beside its task, and goes where that goes. So nothing has
 * to be looked up, and what is removed from a queue leaves nothing behind.
 *
 * <pre>{@code
 * public final class SennitNode extends LinkedBlockingQueue.Node {
 *   final Object context;
 *   SennitNode(Object item, Object context) { super(item); this.context = context; }
 * }
 * }</pre>
 *
 * @param type that of the nodes
 * @param make a node, of a task and its context
 * @param context of a node
 * @param task of a node
 */
record QueuedTasks(Class<?> type, MethodHandle make, MethodHandle context, MethodHandle task) {
  static final String QUEUE = "java/util/concurrent/LinkedBlockingQueue";
  static final ClassDesc QUEUE_TYPE = ClassDesc.ofInternalName(QUEUE);
  static final ClassDesc NODE = QUEUE_TYPE.nested("Node");

  private static final ClassDesc NAME = ClassDesc.of("java.util.concurrent.SennitNode");
  private static final String CONTEXT = "context";

  /** Defines the class of nodes; its package must be open to the agent. */
  static QueuedTasks define() throws ReflectiveOperationException {
    MethodHandles.Lookup queue =
        MethodHandles.privateLookupIn(LinkedBlockingQueue.class, MethodHandles.lookup());
    Class<?> plain = queue.findClass(NODE.packageName() + "." + NODE.displayName());
    Class<?> type = queue.defineClass(content());
    MethodHandles.Lookup node = queue.in(type);
    QueuedTasks made =
        new QueuedTasks(
            type,
            node.findConstructor(
                    type, MethodType.methodType(void.class, Object.class, Object.class))
                .asType(MethodType.genericMethodType(2)),
            node.findGetter(type, CONTEXT, Object.class).asType(MethodType.genericMethodType(1)),
            queue.findGetter(plain, "item", Object.class).asType(MethodType.genericMethodType(1)));
    // All of it once: nobody who holds a queue's lock is the first to link a call.
    ThreadState.current().expectsTask = true;
    made.taken(made.make("", new ContextSnapshot()));
    ThreadState.current().forgetTask();
    return made;
  }

  private static byte[] content() {
    MethodTypeDesc inherited = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Object);
    return ClassFile.of()
        .build(
            NAME,
            type ->
                type.withFlags(
                        AccessFlag.PUBLIC, AccessFlag.FINAL, AccessFlag.SUPER, AccessFlag.SYNTHETIC)
                    .withSuperclass(NODE)
                    .withField(CONTEXT, ConstantDescs.CD_Object, ClassFile.ACC_FINAL)
                    .withMethodBody(
                        ConstantDescs.INIT_NAME,
                        MethodTypeDesc.of(
                            ConstantDescs.CD_void,
                            ConstantDescs.CD_Object,
                            ConstantDescs.CD_Object),
                        0,
                        code ->
                            code.aload(0)
                                .aload(1)
                                .invokespecial(NODE, ConstantDescs.INIT_NAME, inherited)
                                .aload(0)
                                .aload(2)
                                .putfield(NAME, CONTEXT, ConstantDescs.CD_Object)
                                .return_()));
  }

  /** Something is put into a queue; the result takes the place of the queue's own node. */
  Object nodeOf(Object plain, Object item) {
    if (!(item instanceof Runnable) || Parts.bringsItsOwn(item)) {
      return plain;
    }
    ContextSnapshot taken = Relay.take();
    return taken == null ? plain : make(item, taken);
  }

  /**
   * A node's task is being taken from its queue. Only a pool's worker asks for the context, and
   * soon: for anybody else the task would be kept from the garbage collector.
   */
  void taken(Object node) {
    if (type.isInstance(node)) {
      ThreadState state = ThreadState.current();
      if (state.expectsTask) {
        state.expectsTask = false;
        try {
          state.task = (Object) task.invokeExact(node);
          state.context = (ContextSnapshot) (Object) context.invokeExact(node);
        } catch (Throwable e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private Object make(Object item, ContextSnapshot taken) {
    try {
      return (Object) make.invokeExact(item, (Object) taken);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
