/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What changed classes call. It is never used as it stands here: {@link BridgeClass} defines a copy
 * in {@code java.lang}, the one package that every class can see, and gives it its parts, which are
 * objects of JDK types. To the compiler they are constants, and it sees through them.
 *
 * <p>Whatever a part throws ends here: the application has nothing to do with it.
 */
@SuppressWarnings({"unchecked", "overloads"}) // Parts.inOrder() agrees; nobody calls it by source
public final class HandOffBridge {
  /** Where the parts are while the copy is initialised, among the system properties. */
  static final String PARTS = "sennit.handoff.parts";

  private static final Object[] GIVEN =
      (Object[]) Objects.requireNonNull(System.getProperties().remove(PARTS));
  private static final Consumer<Object> ATTACH = (Consumer<Object>) GIVEN[0];
  private static final Function<Object, @Nullable Object> BEGIN =
      (Function<Object, @Nullable Object>) GIVEN[1];
  private static final Consumer<@Nullable Object> END = (Consumer<@Nullable Object>) GIVEN[2];
  private static final Predicate<Object> IS_OF_JVM = (Predicate<Object>) GIVEN[3];
  private static final Consumer<Thread> START = (Consumer<Thread>) GIVEN[4];
  private static final Consumer<Thread> INHERIT = (Consumer<Thread>) GIVEN[5];
  private static final LongSupplier BEFORE_READ = (LongSupplier) GIVEN[6];
  private static final LongConsumer AFTER_READ = (LongConsumer) GIVEN[7];
  private static final Runnable BEFORE_WRITE = (Runnable) GIVEN[8];
  private static final Runnable SELECTING = (Runnable) GIVEN[9];
  private static final Runnable MUTE = (Runnable) GIVEN[10];
  private static final Runnable UNMUTE = (Runnable) GIVEN[11];
  private static final UnaryOperator<Runnable> BARE = (UnaryOperator<Runnable>) GIVEN[12];
  private static final UnaryOperator<Runnable> RUNNABLE = (UnaryOperator<Runnable>) GIVEN[13];
  private static final UnaryOperator<Callable<?>> CALLABLE = (UnaryOperator<Callable<?>>) GIVEN[14];
  private static final UnaryOperator<Supplier<?>> SUPPLIER = (UnaryOperator<Supplier<?>>) GIVEN[15];
  private static final UnaryOperator<Function<?, ?>> FUNCTION =
      (UnaryOperator<Function<?, ?>>) GIVEN[16];
  private static final UnaryOperator<BiFunction<?, ?, ?>> BI_FUNCTION =
      (UnaryOperator<BiFunction<?, ?, ?>>) GIVEN[17];
  private static final UnaryOperator<Consumer<?>> CONSUMER = (UnaryOperator<Consumer<?>>) GIVEN[18];
  private static final UnaryOperator<BiConsumer<?, ?>> BI_CONSUMER =
      (UnaryOperator<BiConsumer<?, ?>>) GIVEN[19];
  private static final BinaryOperator<Object> NODE = (BinaryOperator<Object>) GIVEN[20];
  private static final Consumer<Object> TAKEN = (Consumer<Object>) GIVEN[21];
  private static final Runnable EXPECT = (Runnable) GIVEN[22];

  private HandOffBridge() {}

  /** A task is handed over as the object that it is. */
  public static void attach(Object task) {
    try {
      ATTACH.accept(task);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** The same, to a pool that may be the one that runs virtual threads. */
  public static void attach(Object pool, Object task) {
    if (!isOfJvm(pool)) {
      attach(task);
    }
  }

  /** A task is handed to a pool with this queue; what that queue itself carries is left to it. */
  public static void attachUnlessQueued(Object queue, Object task) {
    if (queue.getClass() != LinkedBlockingQueue.class) {
      attach(task);
    }
  }

  /** A task, or none, is given to a new thread of such a pool, past the queue. */
  public static void attachFirst(Object queue, @Nullable Object task) {
    if (task != null && queue.getClass() == LinkedBlockingQueue.class) {
      attach(task);
    }
  }

  /** The node that goes into a queue: {@code node}, or one with what is current beside it. */
  public static Object nodeOf(Object node, Object item) {
    try {
      return NODE.apply(node, item);
    } catch (Throwable e) {
      return node;
    }
  }

  /** A node's item is being taken from its queue. */
  public static void taken(Object node) {
    try {
      TAKEN.accept(node);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** This thread asks a pool's queue for a task, which it will run. */
  public static void expect() {
    try {
      EXPECT.run();
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A task begins; the result is for {@link #end}. */
  public static @Nullable Object begin(Object task) {
    try {
      return BEGIN.apply(task);
    } catch (Throwable e) {
      return null;
    }
  }

  /** A task has ended, be it by an exception. */
  public static void end(@Nullable Object before) {
    try {
      END.accept(before);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** Runs a task that was handed over. */
  public static void run(Runnable task) {
    Object before = begin(task);
    try {
      task.run();
    } finally {
      end(before);
    }
  }

  /** Work that takes along what is current. */
  public static @Nullable Runnable carry(@Nullable Runnable task) {
    try {
      return task == null ? null : RUNNABLE.apply(task);
    } catch (Throwable e) {
      return task;
    }
  }

  /** Work that takes along what is current. */
  public static @Nullable Callable<?> carry(@Nullable Callable<?> task) {
    try {
      return task == null ? null : CALLABLE.apply(task);
    } catch (Throwable e) {
      return task;
    }
  }

  /** Work that takes along what is current. */
  public static @Nullable Supplier<?> carry(@Nullable Supplier<?> task) {
    try {
      return task == null ? null : SUPPLIER.apply(task);
    } catch (Throwable e) {
      return task;
    }
  }

  /** Work that takes along what is current. */
  public static @Nullable Function<?, ?> carry(@Nullable Function<?, ?> task) {
    try {
      return task == null ? null : FUNCTION.apply(task);
    } catch (Throwable e) {
      return task;
    }
  }

  /** Work that takes along what is current. */
  public static @Nullable BiFunction<?, ?, ?> carry(@Nullable BiFunction<?, ?, ?> task) {
    try {
      return task == null ? null : BI_FUNCTION.apply(task);
    } catch (Throwable e) {
      return task;
    }
  }

  /** Work that takes along what is current. */
  public static @Nullable Consumer<?> carry(@Nullable Consumer<?> task) {
    try {
      return task == null ? null : CONSUMER.apply(task);
    } catch (Throwable e) {
      return task;
    }
  }

  /** Work that takes along what is current. */
  public static @Nullable BiConsumer<?, ?> carry(@Nullable BiConsumer<?, ?> task) {
    try {
      return task == null ? null : BI_CONSUMER.apply(task);
    } catch (Throwable e) {
      return task;
    }
  }

  /** The same, for a pool that may be the one that runs virtual threads. */
  public static @Nullable Runnable carry(Object pool, @Nullable Runnable task) {
    return isOfJvm(pool) ? task : carry(task);
  }

  /** The same, for a pool that may be the one that runs virtual threads. */
  public static @Nullable Callable<?> carry(Object pool, @Nullable Callable<?> task) {
    return isOfJvm(pool) ? task : carry(task);
  }

  /** Work that is done again and again, and must not take along what is current. */
  public static @Nullable Runnable bare(@Nullable Runnable task) {
    try {
      return task == null ? null : BARE.apply(task);
    } catch (Throwable e) {
      return task;
    }
  }

  /** A platform thread is about to be started. */
  public static void start(Thread thread) {
    try {
      START.accept(thread);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A virtual thread is about to be started. */
  public static void inherit(Thread thread) {
    try {
      INHERIT.accept(thread);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A socket is about to be read; the result is for {@link #afterRead}. */
  public static long beforeRead() {
    try {
      return BEFORE_READ.getAsLong();
    } catch (Throwable e) {
      return 0;
    }
  }

  /** A socket was read, by the thread that said so before. */
  public static void afterRead(long before) {
    try {
      AFTER_READ.accept(before);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A socket is about to be written to. */
  public static void beforeWrite() {
    try {
      BEFORE_WRITE.run();
    } catch (Throwable e) {
      // See above.
    }
  }

  /** The thread is about to wait for any of many channels. */
  public static void selecting() {
    try {
      SELECTING.run();
    } catch (Throwable e) {
      // See above.
    }
  }

  /** What is started from now on is nobody's work. */
  public static void mute() {
    try {
      MUTE.run();
    } catch (Throwable e) {
      // See above.
    }
  }

  /** The opposite of {@link #mute}. */
  public static void unmute() {
    try {
      UNMUTE.run();
    } catch (Throwable e) {
      // See above.
    }
  }

  private static boolean isOfJvm(Object pool) {
    try {
      return IS_OF_JVM.test(pool);
    } catch (Throwable e) {
      return true;
    }
  }
}
