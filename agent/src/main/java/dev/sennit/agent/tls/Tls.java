/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.tls;

import dev.sennit.agent.handoff.BridgeClass;
import dev.sennit.agent.handoff.RequestReads;
import dev.sennit.agent.jdk.JavaLang;
import dev.sennit.context.inbound.InboundSlots;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngineResult;
import org.jspecify.annotations.Nullable;

/** Lets the kernel see the plaintext of the JDK's TLS, and adds headers where the kernel cannot. */
public final class Tls {
  private static final AtomicBoolean INSTALLED = new AtomicBoolean();

  private Tls() {}

  /**
   * Changes the classes. Hand-off must have been installed. Calling it again changes nothing.
   *
   * @param slots where the kernel says which requests threads read; null where none does
   * @param problem is told what cannot be seen, and why
   * @return what it does, for the log
   */
  public static String install(
      Instrumentation instrumentation, @Nullable InboundSlots slots, Consumer<String> problem)
      throws ReflectiveOperationException, IOException, UnmodifiableClassException {
    if (!INSTALLED.compareAndSet(false, true)) {
      return "TLS as before";
    }
    JavaLang.open(instrumentation);
    open(instrumentation);
    BridgeClass.define(TlsBridge.class, TlsChanges.BRIDGE, TlsBridge.PARTS, parts(slots));
    instrumentation.addTransformer(new TlsTransformer(problem), true);
    instrumentation.retransformClasses(loaded(instrumentation));
    return "TLS";
  }

  private static void open(Instrumentation instrumentation) {
    Module agent = Tls.class.getModule();
    Map<String, Set<Module>> opened =
        Set.of("java.io", "java.net", "sun.security.ssl").stream()
            .collect(Collectors.toMap(name -> name, name -> Set.of(agent)));
    instrumentation.redefineModule(
        Object.class.getModule(), Set.of(), Map.of(), opened, Set.of(), Map.of());
  }

  /** In the order that the bridge expects. */
  private static Object[] parts(@Nullable InboundSlots slots) throws ReflectiveOperationException {
    SessionTable sessions = new SessionTable();
    Tellings tellings = new Tellings();
    RequestReads reads = new RequestReads(slots);
    tellings.announce();
    SocketPlaintext sockets =
        new SocketPlaintext(sessions, tellings, reads, new SocketDescriptors());
    EnginePlaintext engines = new EnginePlaintext(sessions, tellings, reads);
    Class<?> call = Object.class;
    Class<?> buffers = ByteBuffer[].class;
    Class<?> result = SSLEngineResult.class;
    return new Object[] {
      part(sockets, "read", void.class, int.class, Object.class, byte[].class, int.class),
      part(sockets, "writing", byte[].class, Object.class, byte[].class, int.class, int.class),
      part(engines, "queued", void.class, List.class),
      part(
          engines,
          "unwrapping",
          int[].class,
          Object.class,
          buffers,
          int.class,
          int.class,
          buffers,
          int.class,
          int.class),
      part(
          engines,
          "unwrapped",
          void.class,
          result,
          Object.class,
          buffers,
          int.class,
          int.class,
          int[].class),
      part(engines, "wrapping", call, Object.class, buffers, int.class, int.class),
      part(engines, "instead", buffers, call),
      part(engines, "wrapped", result, result, call, buffers, int.class),
      part(engines, "notWrapped", void.class, call),
      part(new RequestHeaders(), "sending", Object.class, Object.class),
    };
  }

  /** A method with the types that the bridge knows, where the agent's own are just objects. */
  private static MethodHandle part(
      Object receiver, String name, Class<?> result, Class<?>... parameters)
      throws ReflectiveOperationException {
    for (var method : receiver.getClass().getDeclaredMethods()) {
      if (method.getName().equals(name)) {
        return MethodHandles.lookup()
            .unreflect(method)
            .bindTo(receiver)
            .asType(MethodType.methodType(result, parameters));
      }
    }
    throw new NoSuchMethodException(name);
  }

  private static Class<?>[] loaded(Instrumentation instrumentation) {
    Set<String> names =
        TlsChanges.PLACES.stream()
            .map(place -> place.type().replace('/', '.'))
            .collect(Collectors.toSet());
    List<Class<?>> types = new ArrayList<>();
    for (Class<?> type : instrumentation.getAllLoadedClasses()) {
      if (names.contains(type.getName()) && instrumentation.isModifiableClass(type)) {
        types.add(type);
      }
    }
    return types.toArray(Class<?>[]::new);
  }
}
