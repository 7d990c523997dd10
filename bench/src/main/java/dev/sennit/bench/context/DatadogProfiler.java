/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The {@code JavaProfiler} inside Datadog's agent, loaded without the agent. Its methods are
 * constants bound to the one instance, so that {@code invokeExact} compiles to what a direct call
 * compiles to.
 */
final class DatadogProfiler {
  /** Stands for "no attribute" where the number of one is asked for. */
  static final int NO_SLOT = -1;

  /**
   * {@code setTraceContext(rootSpanId, spanId, traceIdHigh, traceIdLow, slot, value, slot, value)}.
   */
  static final MethodHandle SET_TRACE_CONTEXT;

  static final MethodHandle CLEAR_TRACE_CONTEXT;

  private static final MethodHandle EXECUTE;
  private static final MethodHandle STOP;
  private static final MethodHandle GET_VERSION;

  private static final Path SCRATCH;

  static {
    try {
      AgentJar jar = AgentJar.open();
      SCRATCH = Files.createTempDirectory("sennit-bench-datadog");
      SCRATCH.toFile().deleteOnExit();
      Path library = SCRATCH.resolve("libjavaProfiler.so");
      library.toFile().deleteOnExit();
      Files.write(library, jar.nativeLibrary());

      Class<?> type = jar.classLoader().loadClass("com.datadoghq.profiler.JavaProfiler");
      Lookup lookup = MethodHandles.publicLookup();
      Object profiler =
          lookup
              .findStatic(
                  type, "getInstance", MethodType.methodType(type, String.class, String.class))
              .invoke(library.toString(), SCRATCH.toString());
      SET_TRACE_CONTEXT =
          lookup.bind(
              profiler,
              "setTraceContext",
              MethodType.methodType(
                  void.class,
                  long.class,
                  long.class,
                  long.class,
                  long.class,
                  int.class,
                  CharSequence.class,
                  int.class,
                  CharSequence.class));
      CLEAR_TRACE_CONTEXT =
          lookup.bind(profiler, "clearTraceContext", MethodType.methodType(void.class));
      EXECUTE = lookup.bind(profiler, "execute", MethodType.methodType(String.class, String.class));
      STOP = lookup.bind(profiler, "stop", MethodType.methodType(void.class));
      GET_VERSION = lookup.bind(profiler, "getVersion", MethodType.methodType(String.class));
    } catch (Throwable t) {
      throw new ExceptionInInitializerError(t);
    }
  }

  private DatadogProfiler() {}

  /** The version of the profiler, which is not that of the agent around it. */
  static String version() throws Throwable {
    return (String) GET_VERSION.invokeExact();
  }

  /** Samples the CPU, as the agent has it do. */
  static void start() throws Throwable {
    Path recording = SCRATCH.resolve("recording.jfr");
    recording.toFile().deleteOnExit();
    String answer = (String) EXECUTE.invokeExact("start,cpu=10ms,jfr,file=" + recording);
    if (!answer.contains("started")) {
      throw new IOException("Datadog's profiler did not start but answered: " + answer);
    }
  }

  static void stop() throws Throwable {
    STOP.invokeExact();
  }
}
