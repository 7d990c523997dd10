/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.handoff;

import dev.sennit.agent.jdk.JavaLang;
import dev.sennit.agent.virtualthread.VirtualThreadHooks;
import dev.sennit.context.inbound.InboundSlots;
import dev.sennit.context.shared.ContextOwner;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lets contexts follow the work of an application, from thread to thread. */
public final class HandOff {
  private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";
  private static final AtomicBoolean INSTALLED = new AtomicBoolean();

  private HandOff() {}

  /**
   * Changes the classes. Contexts must have been started. Calling it again changes nothing.
   *
   * @param slots where the kernel says which requests threads read; null where none does
   * @param problem is told what cannot be followed, and why
   * @return what it does, for the log
   */
  public static String install(
      Instrumentation instrumentation,
      Set<HandOffKind> kinds,
      @Nullable InboundSlots slots,
      Consumer<String> problem)
      throws ReflectiveOperationException, IOException, UnmodifiableClassException {
    if (!INSTALLED.compareAndSet(false, true)) {
      return "hand-off as before";
    }
    JavaLang.open(instrumentation);
    JavaLang.openConcurrent(instrumentation);
    TaskTable tasks = new TaskTable();
    RunOverrides overrides = new RunOverrides(instrumentation);
    Parts parts =
        new Parts(
            tasks,
            QueuedTasks.define(),
            new RequestReads(slots),
            ThreadStarts.of(tasks, overrides),
            carriers(),
            Class.forName("jdk.internal.misc.CarrierThread"));
    BridgeClass.define(HandOffBridge.class, BridgeClass.NAME, parts.inOrder());
    ChannelParts channels = new ChannelParts(tasks, new ChannelContexts(), slots);
    BridgeClass.define(ChannelBridge.class, BridgeClass.CHANNELS, channels.inOrder());
    ContextOwner.whenTaken(Relay::stop);
    List<ClassChanges.Place> places = ClassChanges.of(kinds);
    HandOffTransformer transformer = new HandOffTransformer(places, overrides);
    instrumentation.addTransformer(transformer, true);
    if (kinds.contains(HandOffKind.VIRTUAL)) {
      // Changes the class that has the hooks of both.
      VirtualThreadHooks.installNow(instrumentation);
    }
    instrumentation.retransformClasses(loaded(instrumentation, places));
    transformer.problems().forEach(problem);
    return "hand-off: "
        + (kinds.isEmpty()
            ? "none"
            : kinds.stream().map(HandOffKind::text).collect(Collectors.joining(" ")));
  }

  private static Object carriers() throws ReflectiveOperationException {
    Class<?> type = Class.forName(VIRTUAL_THREAD);
    return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
        .findStaticVarHandle(type, "DEFAULT_SCHEDULER", ForkJoinPool.class)
        .get();
  }

  /** The classes to change that are there already, or can be. */
  private static Class<?>[] loaded(Instrumentation instrumentation, List<ClassChanges.Place> places)
      throws ClassNotFoundException {
    List<Class<?>> types = new ArrayList<>();
    for (String name : ClassChanges.alwaysThere(places)) {
      Class<?> type = Class.forName(name.replace('/', '.'), false, null);
      if (!type.getName().equals(VIRTUAL_THREAD)) {
        types.add(type);
      }
    }
    Set<String> names =
        places.stream()
            .filter(place -> !place.isAlwaysThere())
            .map(ClassChanges.Place::type)
            .collect(Collectors.toSet());
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      String name = NettyChanges.plainName(type.getName().replace('.', '/'));
      if (names.contains(name) && instrumentation.isModifiableClass(type)) {
        types.add(type);
      }
    }
    return types.toArray(Class<?>[]::new);
  }
}
