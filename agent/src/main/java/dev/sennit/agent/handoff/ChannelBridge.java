/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What changed classes of Netty and Reactor call, by a copy in {@code java.lang} like that of
 * {@link HandOffBridge}, whose {@code end} takes what these begin with.
 *
 * <p>Whatever a part throws ends here: the application has nothing to do with it.
 */
@SuppressWarnings("unchecked") // ChannelParts.inOrder() agrees
public final class ChannelBridge {
  private static final Object[] GIVEN =
      (Object[]) Objects.requireNonNull(System.getProperties().remove(HandOffBridge.PARTS));
  private static final ObjLongConsumer<Object> RECEIVED = (ObjLongConsumer<Object>) GIVEN[0];
  private static final Function<Object, Object> ENTER = (Function<Object, Object>) GIVEN[1];
  private static final Function<Object, Object> ENTER_READ = (Function<Object, Object>) GIVEN[2];
  private static final Function<Object, Object> ENTER_OPEN = (Function<Object, Object>) GIVEN[3];
  private static final Runnable DECODED = (Runnable) GIVEN[4];
  private static final Consumer<Object> CONNECTING = (Consumer<Object>) GIVEN[5];
  private static final BiConsumer<Object, Boolean> WRITTEN = (BiConsumer<Object, Boolean>) GIVEN[6];
  private static final Consumer<Object> SHARE = (Consumer<Object>) GIVEN[7];
  private static final BiConsumer<Object, Object> LISTEN = (BiConsumer<Object, Object>) GIVEN[8];
  private static final BiConsumer<Object, Object> UNLISTEN = (BiConsumer<Object, Object>) GIVEN[9];
  private static final BiFunction<Object, Object, Object> NOTIFYING =
      (BiFunction<Object, Object, Object>) GIVEN[10];
  private static final Function<Object, Object> BEGIN_OWN = (Function<Object, Object>) GIVEN[11];
  private static final Supplier<Object> BEGIN_NOBODYS = (Supplier<Object>) GIVEN[12];
  private static final ObjLongConsumer<Object> DECRYPTED = (ObjLongConsumer<Object>) GIVEN[13];

  private ChannelBridge() {}

  /** A channel was read; {@code before} is what {@link HandOffBridge#beforeRead} said. */
  public static void received(Object pipeline, long before) {
    try {
      RECEIVED.accept(pipeline, before);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** The same of what a handler of its has decrypted. */
  public static void decrypted(Object pipeline, long before) {
    try {
      DECRYPTED.accept(pipeline, before);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A channel's handlers are called. */
  public static @Nullable Object enter(Object pipeline) {
    try {
      return ENTER.apply(pipeline);
    } catch (Throwable e) {
      return null;
    }
  }

  /** The same, with what was read. */
  public static @Nullable Object enterRead(Object pipeline) {
    try {
      return ENTER_READ.apply(pipeline);
    } catch (Throwable e) {
      return null;
    }
  }

  /** The same, with something that ends what is under way, if anything is. */
  public static @Nullable Object enterOpen(Object pipeline) {
    try {
      return ENTER_OPEN.apply(pipeline);
    } catch (Throwable e) {
      return null;
    }
  }

  /**
   * A decoder has looked for the head of a message.
   *
   * @param found null as long as the head is not complete
   */
  public static void decoded(@Nullable Object found) {
    if (found == null) {
      return;
    }
    try {
      DECODED.run();
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A channel is connected to somewhere. */
  public static void connecting(Object pipeline) {
    try {
      CONNECTING.accept(pipeline);
    } catch (Throwable e) {
      // See above.
    }
  }

  /**
   * A message is written to a channel.
   *
   * @param accepted whether the other side has opened it, and so sends the requests
   */
  public static void written(Object pipeline, boolean accepted) {
    try {
      WRITTEN.accept(pipeline, accepted);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A channel is about to serve many at once. */
  public static void share(Object pipeline) {
    try {
      SHARE.accept(pipeline);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A listener is added to a promise. */
  public static void listen(Object promise, Object listener) {
    try {
      LISTEN.accept(promise, listener);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A listener is taken away again. */
  public static void unlisten(Object promise, Object listener) {
    try {
      UNLISTEN.accept(promise, listener);
    } catch (Throwable e) {
      // See above.
    }
  }

  /** A listener is called. */
  public static @Nullable Object notifying(Object promise, Object listener) {
    try {
      return NOTIFYING.apply(promise, listener);
    } catch (Throwable e) {
      return null;
    }
  }

  /** Something goes on that was attached before, and is nobody's otherwise. */
  public static @Nullable Object beginOwn(Object waiting) {
    try {
      return BEGIN_OWN.apply(waiting);
    } catch (Throwable e) {
      return null;
    }
  }

  /** What follows is nobody's work. */
  public static @Nullable Object beginNobodys() {
    try {
      return BEGIN_NOBODYS.get();
    } catch (Throwable e) {
      return null;
    }
  }
}
