/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.agent.handoff.ClassChanges.Place;
import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * Which methods of Netty 4.1 and 4.2, and of Reactor's pools, are changed. None of them is
 * required: what one version has, another does without.
 */
final class NettyChanges {
  private static final String CONCURRENT = "io/netty/util/concurrent/";
  private static final String CHANNEL = "io/netty/channel/";
  private static final String PIPELINE = CHANNEL + "DefaultChannelPipeline";
  private static final String HEAD = PIPELINE + "$HeadContext";
  private static final String PROMISE = CONCURRENT + "DefaultPromise";
  private static final String LOOP = CONCURRENT + "SingleThreadEventExecutor";
  private static final String GLOBAL = CONCURRENT + "GlobalEventExecutor";
  private static final String NON_STICKY =
      CONCURRENT + "NonStickyEventExecutorGroup$NonStickyOrderedEventExecutor";
  private static final String IDLE = "io/netty/handler/timeout/IdleStateHandler";
  private static final String HTTP_2 = "io/netty/handler/codec/http2/Http2ConnectionHandler";
  private static final String REACTOR = "reactor/netty/";

  private static final String ONE_RUNNABLE = "(Ljava/lang/Runnable;)V";
  private static final ClassDesc RUNNABLE = ClassDesc.of("java.lang.Runnable");

  private final List<Place> places = new ArrayList<>();

  private NettyChanges() {}

  static List<Place> all() {
    NettyChanges changes = new NettyChanges();
    changes.channels();
    changes.tasks();
    changes.promises();
    changes.timers();
    changes.pools();
    return List.copyOf(changes.places);
  }

  private void channels() {
    // Where the system call is, with nothing in between that another channel could read.
    change(CHANNEL + "socket/nio/NioSocketChannel", "doReadBytes", "(", ChannelChange.received());
    change(CHANNEL + "epoll/AbstractEpollChannel", "doReadBytes", "(", ChannelChange.received());
    // Of what is encrypted, it is known only here whether it is a request.
    change("io/netty/handler/ssl/SslHandler", "unwrap", "(", ChannelChange.decrypted());
    // What did not fit at once is written by the event loop, when it can be.
    change(CHANNEL + "socket/nio/NioSocketChannel", "doWrite", "(", ChannelChange.inChannel());
    change(CHANNEL + "epoll/AbstractEpollStreamChannel", "doWrite", "(", ChannelChange.inChannel());
    // Every event of a channel begins at its pipeline, every message to it ends at the head.
    change(PIPELINE, "fireChannelRead", "(", ChannelChange.event("enterRead"));
    for (String event :
        List.of("fireChannelActive", "fireChannelReadComplete", "fireChannelWritabilityChanged")) {
      change(PIPELINE, event, "(", ChannelChange.event("enter"));
    }
    for (String event :
        List.of("fireChannelInactive", "fireExceptionCaught", "fireUserEventTriggered")) {
      change(PIPELINE, event, "(", ChannelChange.event("enterOpen"));
    }
    change(HEAD, "connect", "(", ChannelChange.tellPipeline("connecting"));
    change(HEAD, "write", "(", ChannelChange.written());
    // Not every request is one that the kernel tells of.
    change(
        "io/netty/handler/codec/http/HttpObjectDecoder",
        "readHeaders",
        "(",
        ChannelChange.decoded());
    // Its streams are many requests at a time on one channel.
    change(HTTP_2, "handlerAdded", "(", ChannelChange.tellPipeline("share"));
  }

  private void tasks() {
    for (String executor : List.of(LOOP, GLOBAL, NON_STICKY, CHANNEL + "ManualIoEventLoop")) {
      change(executor, "execute", ONE_RUNNABLE, MethodChange.attach(0));
    }
    change(LOOP, "lazyExecute", ONE_RUNNABLE, MethodChange.attach(0));
    String common = CONCURRENT + "AbstractEventExecutor";
    change(common, "runTask", ONE_RUNNABLE, MethodChange.replaceRun(RUNNABLE));
    // Older ones call the task themselves.
    change(common, "safeExecute", ONE_RUNNABLE, MethodChange.replaceRun(RUNNABLE));
    for (String executor :
        List.of(
            CONCURRENT + "DefaultEventExecutor",
            GLOBAL + "$TaskRunner",
            CHANNEL + "DefaultEventLoop",
            CHANNEL + "ThreadPerChannelEventLoop")) {
      change(executor, "run", "()", MethodChange.replaceRun(RUNNABLE));
    }
    // It runs what others have given it.
    change(NON_STICKY, "run", "()", ChannelChange.nobodys());
    // The work inside, as of the JDK's FutureTask.
    change(CONCURRENT + "PromiseTask", "<init>", "(", MethodChange.carry(1));
    String scheduled = CONCURRENT + "AbstractScheduledEventExecutor";
    change(scheduled, "scheduleAtFixedRate", "(", MethodChange.bare(0));
    change(scheduled, "scheduleWithFixedDelay", "(", MethodChange.bare(0));
    // Its thread serves everybody, and may be one of the application's pool.
    change(LOOP, "doStartThread", "()", ChannelChange.nobodys());
    change(GLOBAL, "startThread", "()", ChannelChange.nobodys());
  }

  /** What is to be done belongs to who said so, not to who completes the promise. */
  private void promises() {
    change(PROMISE, "addListener0", "(", ChannelChange.listen("listen", 0, 1));
    change(PROMISE, "removeListener0", "(", ChannelChange.listen("unlisten", 0, 1));
    // Of a future that is complete from the start.
    change(PROMISE, "notifyListener", "(", ChannelChange.listen("listen", 1, 2));
    change(PROMISE, "notifyListener0", "(", ChannelChange.notifying());
  }

  private void timers() {
    // It goes on for as long as the channel lives, for whomever that is.
    change(IDLE, "schedule", "(", MethodChange.bare(1));
    change(IDLE + "$AbstractIdleTask", "run", "()", ChannelChange.inOpenChannelOf("ctx"));
    String timeout = "io/netty/util/HashedWheelTimer$HashedWheelTimeout";
    change(timeout, "<init>", "(", ChannelChange.attachMade());
    change(timeout, "expire", "()", MethodChange.runOfThis());
  }

  /** A connection goes to the next who waits, in the hands of who gives it back. */
  private void pools() {
    for (String pool : List.of("reactor/pool/", REACTOR + "internal/shaded/reactor/pool/")) {
      String borrower = pool + "AbstractPool$Borrower";
      change(borrower, "<init>", "(", ChannelChange.attachMade());
      change(borrower, "deliver", "(", ChannelChange.own());
      change(borrower, "fail", "(", ChannelChange.own());
    }
    // The connection may have been opened on behalf of somebody else.
    change(
        REACTOR + "resources/DefaultPooledConnectionProvider$DisposableAcquire",
        "run",
        "()",
        ChannelChange.acquired());
    // It may put somebody back among those who wait: whose turn it is cannot be told.
    change(REACTOR + "http/client/Http2Pool$Borrower", "deliver", "(", ChannelChange.nobodys());
    // A request may come before the one in front of it is done with, and then waits.
    String requests = REACTOR + "http/server/HttpTrafficHandler";
    change(requests + "$HttpRequestHolder", "<init>", "(", ChannelChange.attachMade());
    change(requests, "run", "()", ChannelChange.ownOfFirst("pipelined"));
  }

  private void change(String type, String method, String parameters, MethodChange change) {
    places.add(new Place(type, method, parameters, change, false));
  }

  /**
   * The name under which the places know a class: frameworks have copies of Netty under names that
   * only begin otherwise.
   */
  static String plainName(String type) {
    int netty = type.indexOf("/io/netty/");
    return netty < 0 ? type : type.substring(netty + 1);
  }
}
