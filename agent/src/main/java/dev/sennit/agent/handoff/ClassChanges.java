/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import static dev.sennit.agent.handoff.HandOffKind.EXECUTOR;
import static dev.sennit.agent.handoff.HandOffKind.FORKJOIN;
import static dev.sennit.agent.handoff.HandOffKind.FUTURE;
import static dev.sennit.agent.handoff.HandOffKind.HTTPCLIENT;
import static dev.sennit.agent.handoff.HandOffKind.LOG4J;
import static dev.sennit.agent.handoff.HandOffKind.NETTY;
import static dev.sennit.agent.handoff.HandOffKind.THREAD;
import static dev.sennit.agent.handoff.HandOffKind.TIMER;
import static dev.sennit.agent.handoff.HandOffKind.VIRTUAL;

import java.lang.constant.ClassDesc;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which methods of which classes are changed, how, and why there. */
final class ClassChanges {
  private static final String POOL = "java/util/concurrent/ThreadPoolExecutor";
  private static final String SCHEDULED_POOL = "java/util/concurrent/ScheduledThreadPoolExecutor";
  private static final String TASK = "java/util/concurrent/FutureTask";
  private static final String FORK_JOIN_POOL = "java/util/concurrent/ForkJoinPool";
  private static final String FORK_JOIN_TASK = "java/util/concurrent/ForkJoinTask";
  private static final String COMPLETABLE = "java/util/concurrent/CompletableFuture";
  private static final String THREADS = "java/lang/Thread";
  private static final String VIRTUAL_THREADS = "java/lang/VirtualThread";
  private static final String HTTP_REQUEST = "jdk/internal/net/http/Http1Exchange$Http1Publisher";
  private static final String DISPATCHER = "sun/nio/ch/SocketDispatcher";
  private static final String SELECTOR = "sun/nio/ch/SelectorImpl";
  private static final String LOG4J_APPENDER =
      "org/apache/logging/log4j/core/appender/AbstractOutputStreamAppender";
  private static final String TOMCAT_POOL = "org/apache/tomcat/util/threads/ThreadPoolExecutor";
  private static final String JETTY_POOL = "org/eclipse/jetty/util/thread/QueuedThreadPool";

  private static final ClassDesc RUNNABLE = ClassDesc.of("java.lang.Runnable");
  private static final ClassDesc TIMER_TASK = ClassDesc.of("java.util.TimerTask");

  /**
   * One change.
   *
   * @param type the class, as it is written in class files
   * @param method its name
   * @param parameters the beginning of its descriptor, as far as it takes to tell it from others
   * @param required whether a JDK without the method cannot be followed in this kind
   */
  record Place(
      String type, String method, String parameters, MethodChange change, boolean required) {
    /** Whether every JVM has the class; others are changed when they are loaded. */
    boolean isAlwaysThere() {
      return type.startsWith("java/") || type.startsWith("sun/");
    }
  }

  private final List<Place> places = new ArrayList<>();

  private ClassChanges() {}

  /** Those of some kinds, and those through which contexts come in. */
  static List<Place> of(Set<HandOffKind> kinds) {
    ClassChanges changes = new ClassChanges();
    changes.sockets();
    changes.addIf(kinds, EXECUTOR, changes::executors);
    changes.addIf(kinds, FORKJOIN, changes::forkJoin);
    changes.addIf(kinds, FUTURE, changes::futures);
    changes.addIf(kinds, THREAD, changes::threads);
    changes.addIf(kinds, VIRTUAL, changes::virtualThreads);
    changes.addIf(kinds, TIMER, changes::timers);
    changes.addIf(kinds, HTTPCLIENT, changes::httpClient);
    changes.addIf(kinds, NETTY, () -> changes.places.addAll(NettyChanges.all()));
    changes.addIf(kinds, LOG4J, changes::log4j);
    return List.copyOf(changes.places);
  }

  private void addIf(Set<HandOffKind> kinds, HandOffKind kind, Runnable add) {
    if (kinds.contains(kind)) {
      add.run();
    }
  }

  /**
   * All sockets and channels of the JDK are read and written here, by the thread that the kernel
   * sees, and with nothing in between at which a virtual thread could move.
   */
  private void sockets() {
    jdk(DISPATCHER, "read", "(Ljava/io/FileDescriptor;JI)", MethodChange.read());
    jdk(DISPATCHER, "readv", "(Ljava/io/FileDescriptor;JI)", MethodChange.read());
    jdk(DISPATCHER, "write", "(Ljava/io/FileDescriptor;JI)", MethodChange.tell("beforeWrite"));
    jdk(DISPATCHER, "writev", "(Ljava/io/FileDescriptor;JI)", MethodChange.tell("beforeWrite"));
    jdk(SELECTOR, "lockAndDoSelect", "(", MethodChange.tell("selecting"));
  }

  private void executors() {
    // A task must stay what it is: applications look for it in the queue, and sort by it.
    jdk(POOL, "execute", "(Ljava/lang/Runnable;)", QueueChanges.attach("attachUnlessQueued"));
    jdk(POOL, "addWorker", "(Ljava/lang/Runnable;Z)", QueueChanges.attach("attachFirst"));
    jdk(POOL, "getTask", "()", MethodChange.tell("expect"));
    jdk(POOL, "runWorker", "(", MethodChange.replaceRun(RUNNABLE));
    // Its context is beside it in the queue that most pools have, for all ways into that queue.
    jdk(QueuedTasks.QUEUE, "offer", "(Ljava/lang/Object;", QueueChanges.put());
    jdk(QueuedTasks.QUEUE, "put", "(Ljava/lang/Object;)", QueueChanges.put());
    jdk(QueuedTasks.QUEUE, "dequeue", "()", QueueChanges.taken());
    // The work inside of a FutureTask is nobody else's business, and costs less to carry.
    jdk(TASK, "<init>", "(Ljava/util/concurrent/Callable;)", MethodChange.carry(0));
    jdk(TASK, "<init>", "(Ljava/lang/Runnable;Ljava/lang/Object;)", MethodChange.carry(0));
    // Whoever came first is not the one for whom something is done every minute.
    jdk(SCHEDULED_POOL, "scheduleAtFixedRate", "(", MethodChange.bare(0));
    jdk(SCHEDULED_POOL, "scheduleWithFixedDelay", "(", MethodChange.bare(0));
    // A pool's threads serve everybody.
    jdk(POOL, "addWorker", "(", MethodChange.muted());
    // Copies of the JDK's pool, and pools of their own.
    framework(TOMCAT_POOL, "execute", "(Ljava/lang/Runnable;)", MethodChange.attach(0));
    framework(TOMCAT_POOL, "runWorker", "(", MethodChange.replaceRun(RUNNABLE));
    framework(TOMCAT_POOL, "addWorker", "(", MethodChange.muted());
    framework(JETTY_POOL, "execute", "(Ljava/lang/Runnable;)", MethodChange.attach(0));
    framework(JETTY_POOL, "runJob", "(Ljava/lang/Runnable;)", MethodChange.runOf(0));
    framework(JETTY_POOL, "startThread", "(", MethodChange.muted());
  }

  private void forkJoin() {
    jdk(FORK_JOIN_TASK, "fork", "()", MethodChange.attachThis());
    jdk(FORK_JOIN_TASK, "doExec", "()", MethodChange.runOfThis());
    // Every way of handing a task to a pool ends here but the two of virtual threads' bursts.
    jdk(
        FORK_JOIN_POOL,
        "poolSubmit",
        "(ZLjava/util/concurrent/ForkJoinTask;)",
        MethodChange.attachInto(1));
    jdk(FORK_JOIN_POOL, "schedule", "(Ljava/lang/Runnable;", MethodChange.carryInto(0));
    jdk(FORK_JOIN_POOL, "schedule", "(Ljava/util/concurrent/Callable;", MethodChange.carryInto(0));
    jdk(FORK_JOIN_POOL, "createWorker", "()", MethodChange.muted());
  }

  /**
   * What is to be done belongs to who said so, not to who completes the future. All of the public
   * methods come through these, with the work as the last parameter or the one before a stage.
   */
  private void futures() {
    for (String stage :
        List.of(
            "uniApplyStage",
            "uniAcceptStage",
            "uniRunStage",
            "uniWhenCompleteStage",
            "uniHandleStage",
            "uniExceptionallyStage",
            "uniComposeExceptionallyStage",
            "uniComposeStage",
            "asyncSupplyStage",
            "asyncRunStage")) {
      jdk(COMPLETABLE, stage, "(Ljava/util/concurrent/Executor;", MethodChange.carry(1));
    }
    jdk(
        COMPLETABLE,
        "completeAsync",
        "(Ljava/util/function/Supplier;Ljava/util/concurrent/Executor;)",
        MethodChange.carry(0));
    for (String stage :
        List.of(
            "biApplyStage",
            "biAcceptStage",
            "biRunStage",
            "orApplyStage",
            "orAcceptStage",
            "orRunStage")) {
      jdk(COMPLETABLE, stage, "(Ljava/util/concurrent/Executor;", MethodChange.carry(2));
    }
  }

  private void threads() {
    jdk(THREADS, "start", "(", MethodChange.tellThread("start"));
    jdk(THREADS, "run", "()", MethodChange.runOfThis());
  }

  /** All builders, factories and executors of virtual threads start them by this one. */
  private void virtualThreads() {
    jdk(
        VIRTUAL_THREADS,
        "start",
        "(Ljdk/internal/vm/ThreadContainer;)",
        MethodChange.tellThread("inherit"));
  }

  private void timers() {
    jdk("java/util/Timer", "sched", "(", MethodChange.attach(0));
    jdk("java/util/TimerThread", "mainLoop", "()", MethodChange.replaceRun(TIMER_TASK));
  }

  /**
   * A request is written by whichever thread comes by, when its selector says that it may be; it is
   * made by the one that wants it.
   */
  private void httpClient() {
    jdk(HTTP_REQUEST, "<init>", "(", MethodChange.carryTo("lockingScheduler"));
  }

  /**
   * Threads put their lines into one buffer and then empty it, which are two steps: in between,
   * another thread may write what this one logged.
   */
  private void log4j() {
    framework(LOG4J_APPENDER, "directEncodeEvent", "(", MethodChange.alone());
  }

  private void jdk(String type, String method, String parameters, MethodChange change) {
    places.add(new Place(type, method, parameters, change, true));
  }

  private void framework(String type, String method, String parameters, MethodChange change) {
    places.add(new Place(type, method, parameters, change, false));
  }

  /** The classes among them that every JVM has. */
  static Set<String> alwaysThere(List<Place> places) {
    return places.stream()
        .filter(Place::isAlwaysThere)
        .map(Place::type)
        .collect(Collectors.toSet());
  }
}
