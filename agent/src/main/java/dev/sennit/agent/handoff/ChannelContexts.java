/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.context.thread.ContextSnapshot;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * For whom channels are read and written. They are known by the identity of their pipelines and
 * held weakly: a channel that is gone takes its entry with it. Finding one takes no lock; one is
 * added when its channel is used for a request for the first time.
 */
final class ChannelContexts {
  private static final int MASK = (1 << 13) - 1;

  /** Those beyond have no context. */
  private static final int MOST = 1 << 16;

  private final AtomicReferenceArray<@Nullable Channel> heads =
      new AtomicReferenceArray<>(MASK + 1);
  private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  /** One channel. Its own event loop alone changes it. */
  static final class Channel extends WeakReference<Object> {
    private final int bucket;
    private volatile @Nullable Channel next;
    private volatile @Nullable ContextSnapshot context;

    /** Whether requests are read from it, rather than sent. */
    private boolean serves;

    /** Whether the kernel has told of a request whose head was not decoded yet. */
    private boolean told;

    /** Whether an answer is under way: read a request, or written one, and nothing since. */
    private boolean open;

    /** Who has written last. */
    private @Nullable ContextSnapshot writer;

    /** Whether what comes next may be for one or another. */
    private boolean mixed;

    /** Whether answers to several are under way at once: it is nobody's for good. */
    private volatile boolean shared;

    private Channel(Object pipeline, int bucket, ReferenceQueue<Object> queue) {
      super(pipeline, queue);
      this.bucket = bucket;
    }

    /** For whom it is now; null when that is not known. */
    @Nullable ContextSnapshot context() {
      return context;
    }

    /**
     * The same, unless it lies idle: that it then ends, or nothing comes, is not part of what was
     * done with it before.
     */
    @Nullable ContextSnapshot openContext() {
      return open ? context : null;
    }

    /** It has brought a request, or several that cannot be told apart. */
    void requested(@Nullable ContextSnapshot request) {
      serves = true;
      told = true;
      open = true;
      context = shared ? null : request;
    }

    /**
     * The head of a request was decoded. The kernel tells of one that begins with a read and is of
     * a usual length; of another nobody knows whose it is, but not that of the one before.
     *
     * @return whether it is the one that was told of
     */
    boolean decoded() {
      if (!serves || told) {
        told = false;
        return true;
      }
      context = null;
      return false;
    }

    /** It is opened for somebody, who may not be the one that uses it. */
    void connecting(@Nullable ContextSnapshot who) {
      open = false;
      context = shared ? null : who;
    }

    /** Something came in: whoever writes next begins anew. */
    void read() {
      if (!serves) {
        open = false;
        mixed = false;
      }
    }

    /** Something is answered. */
    void answered() {
      open = false;
    }

    /**
     * Somebody sends something: what comes back is theirs, unless somebody else is waiting too. Two
     * requests at a time are the sign of a connection that many use at once.
     */
    void written(@Nullable ContextSnapshot who) {
      if (serves) {
        answered();
        return;
      }
      if (open && differ(writer, who)) {
        mixed = true;
        shared = shared || (writer != null && who != null);
      }
      open = true;
      writer = who;
      context = (mixed || shared) ? null : who;
    }

    void share() {
      shared = true;
      context = null;
    }

    private static boolean differ(@Nullable ContextSnapshot one, @Nullable ContextSnapshot other) {
      if (one == null || other == null) {
        return one != other;
      }
      return one.spanId() != other.spanId() || one.traceIdLow() != other.traceIdLow();
    }
  }

  /** The channel of a pipeline; null when it was never used for a request. */
  @Nullable Channel find(Object pipeline) {
    return size.get() == 0 ? null : find(System.identityHashCode(pipeline) & MASK, pipeline);
  }

  private @Nullable Channel find(int bucket, Object pipeline) {
    Channel channel = heads.get(bucket);
    while (channel != null && !channel.refersTo(pipeline)) {
      channel = channel.next;
    }
    return channel;
  }

  /** The same, added if need be; null when there are too many. */
  @Nullable Channel findOrAdd(Object pipeline) {
    int bucket = System.identityHashCode(pipeline) & MASK;
    Channel channel = find(bucket, pipeline);
    return channel == null ? add(bucket, pipeline) : channel;
  }

  private synchronized @Nullable Channel add(int bucket, Object pipeline) {
    expunge();
    Channel channel = find(bucket, pipeline);
    if (channel == null && size.get() < MOST) {
      channel = new Channel(pipeline, bucket, gone);
      channel.next = heads.get(bucket);
      heads.set(bucket, channel);
      size.getAndIncrement();
    }
    return channel;
  }

  /** How many are known. */
  synchronized int size() {
    expunge();
    return size.get();
  }

  private void expunge() {
    Reference<?> reference = gone.poll();
    while (reference != null) {
      if (reference instanceof Channel channel) {
        unlink(channel);
      }
      reference = gone.poll();
    }
  }

  @SuppressWarnings("ReferenceEquality") // entries are what they are
  private void unlink(Channel channel) {
    Channel each = heads.get(channel.bucket);
    if (each == channel) {
      heads.set(channel.bucket, channel.next);
      size.getAndDecrement();
      return;
    }
    while (each != null) {
      if (each.next == channel) {
        each.next = channel.next;
        size.getAndDecrement();
        return;
      }
      each = each.next;
    }
  }
}
