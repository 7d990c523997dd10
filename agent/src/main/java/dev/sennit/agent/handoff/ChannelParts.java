/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.agent.handoff.ChannelContexts.Channel;
import dev.sennit.context.inbound.InboundRequest;
import dev.sennit.context.inbound.InboundSlots;
import dev.sennit.context.thread.ContextApi;
import dev.sennit.context.thread.ContextSnapshot;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@link ChannelBridge} calls, as objects of JDK types. An event loop does the work of many
 * channels in turn: what a channel brings is done for whom the channel is, and a listener is called
 * for who added it, whoever completes the promise.
 */
final class ChannelParts {
  /** By how much a slot's number grows with a request. */
  private static final long ONE_REQUEST = 2;

  private final TaskTable tasks;
  private final ChannelContexts channels;

  /** Null where no kernel says anything. */
  private final @Nullable InboundSlots slots;

  ChannelParts(TaskTable tasks, ChannelContexts channels, @Nullable InboundSlots slots) {
    this.tasks = tasks;
    this.channels = channels;
    this.slots = slots;
  }

  /** In the order that the bridge expects. */
  Object[] inOrder() {
    return new Object[] {
      (ObjLongConsumer<Object>) this::received,
      (Function<Object, Object>) this::enter,
      (Function<Object, Object>) this::enterRead,
      (Function<Object, Object>) this::enterOpen,
      (Runnable) ChannelParts::decoded,
      (Consumer<Object>) this::connecting,
      (BiConsumer<Object, Boolean>) this::written,
      (Consumer<Object>) this::share,
      (BiConsumer<Object, Object>) this::listen,
      (BiConsumer<Object, Object>) this::unlisten,
      (BiFunction<Object, Object, Object>) this::notifying,
      (Function<Object, Object>) this::beginOwn,
      (Supplier<Object>) Relay::enterNone,
      (ObjLongConsumer<Object>) this::decrypted,
    };
  }

  /**
   * The thread's slot was looked at before, and so tells whether these very bytes are a request.
   */
  private void received(Object pipeline, long before) {
    // What is encrypted turns out to be a request later, and is not the thread's then, either.
    ThreadState.current().loops = true;
    requested(pipeline, before);
  }

  /**
   * The same of bytes that were encrypted, while the channel hands on what it has read of them:
   * that ends what is entered here.
   */
  private void decrypted(Object pipeline, long before) {
    Channel channel = requested(pipeline, before);
    if (channel != null) {
      ThreadState.current().reading = channel;
      enterOrNone(channel.context());
    }
  }

  /** Notes for whom the channel is, if it has brought a request; else results in null. */
  private @Nullable Channel requested(Object pipeline, long before) {
    InboundSlots known = slots;
    if (known == null || !Relay.isOn()) {
      return null;
    }
    int tid = ContextApi.tid();
    long sequence = known.sequence(tid);
    if (sequence == before) {
      return null;
    }
    Channel channel = channels.findOrAdd(pipeline);
    if (channel != null) {
      boolean one = sequence - before == ONE_REQUEST;
      channel.requested(one ? request(known, tid, sequence) : null);
    }
    return channel;
  }

  private static @Nullable ContextSnapshot request(InboundSlots slots, int tid, long sequence) {
    InboundRequest request = new InboundRequest();
    return slots.read(tid, sequence, request)
        ? ContextSnapshot.of(
            request.traceIdHigh(), request.traceIdLow(), request.spanId(), request.flags())
        : null;
  }

  /** Of a channel that is nobody's, an event is part of what has caused it. */
  private Object enter(Object pipeline) {
    Channel channel = channels.find(pipeline);
    return enter(channel == null ? null : channel.context());
  }

  private Object enterRead(Object pipeline) {
    Channel channel = channels.find(pipeline);
    ThreadState.current().reading = channel;
    if (channel == null) {
      return Relay.current();
    }
    channel.read();
    return enter(channel.context());
  }

  /** Decoders know nothing of channels, but are called for the one that was just read. */
  private static void decoded() {
    Channel channel = ThreadState.current().reading;
    if (channel != null && !channel.decoded()) {
      Relay.enterNone();
    }
  }

  private Object enterOpen(Object pipeline) {
    Channel channel = channels.find(pipeline);
    return enter(channel == null ? null : channel.openContext());
  }

  private static Object enter(@Nullable ContextSnapshot context) {
    return context == null ? Relay.current() : Relay.enter(context);
  }

  private void connecting(Object pipeline) {
    ContextSnapshot context = Relay.take();
    Channel channel = context == null ? channels.find(pipeline) : channels.findOrAdd(pipeline);
    if (channel != null) {
      channel.connecting(context);
    }
  }

  /** Who answers has no say in what the other side sends next. */
  private void written(Object pipeline, boolean accepted) {
    ContextSnapshot context = accepted ? null : Relay.take();
    Channel channel = context == null ? channels.find(pipeline) : channels.findOrAdd(pipeline);
    if (channel == null) {
      return;
    }
    if (accepted) {
      channel.answered();
    } else {
      channel.written(context);
    }
  }

  private void share(Object pipeline) {
    Channel channel = channels.findOrAdd(pipeline);
    if (channel != null) {
      channel.share();
    }
  }

  /** One listener may be added to many promises, and many to one. */
  private void listen(Object promise, Object listener) {
    ContextSnapshot context = Relay.take();
    if (context != null) {
      tasks.put(promise, System.identityHashCode(listener), context);
    }
  }

  private void unlisten(Object promise, Object listener) {
    tasks.take(promise, System.identityHashCode(listener));
  }

  private Object notifying(Object promise, Object listener) {
    return enterOrNone(tasks.take(promise, System.identityHashCode(listener)));
  }

  /** Somebody who was waiting goes on, in the thread and context of who let them. */
  private Object beginOwn(@Nullable Object waiting) {
    return enterOrNone(waiting == null ? null : tasks.take(waiting));
  }

  private static Object enterOrNone(@Nullable ContextSnapshot context) {
    return context == null ? Relay.enterNone() : Relay.enter(context);
  }
}
