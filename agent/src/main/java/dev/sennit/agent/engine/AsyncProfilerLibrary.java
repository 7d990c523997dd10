/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.agent.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.agent.ScratchFolder;
import dev.sennit.agent.association.SampleClock;
import dev.sennit.context.memory.ForeignLibrary;
import dev.sennit.profiles.OpenContext;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import one.profiler.AsyncProfiler;
import one.profiler.Recording;
import one.profiler.Span;
import org.jspecify.annotations.Nullable;

/**
 * async-profiler, loaded into this process once and for good: its commands by its own Java classes,
 * and what these do not offer by the functions of {@code asprof.h}.
 */
final class AsyncProfilerLibrary implements SampleClock {
  /** A library to load instead of the one that comes along. */
  static final String VARIABLE = "SENNIT_ASYNC_PROFILER";

  static final String PROPERTY = "sennit.async.profiler";

  private static @Nullable AsyncProfilerLibrary loaded;

  /** Constant, so that the call is compiled into whatever makes it. */
  private static @Nullable MethodHandle threadDataFunction;

  private final AsyncProfiler profiler;
  private final String origin;
  private final MethodHandle emitEvent;
  private final int openContextKey;

  private AsyncProfilerLibrary(
      AsyncProfiler profiler, String origin, MethodHandle emitEvent, int openContextKey) {
    this.profiler = profiler;
    this.origin = origin;
    this.emitEvent = emitEvent;
    this.openContextKey = openContextKey;
  }

  /** Holds the handle as a constant; it is initialised after the library was loaded. */
  private static final class ThreadData {
    private static final @Nullable MethodHandle FUNCTION = threadDataFunction;
  }

  /**
   * The library, loaded if it is not yet.
   *
   * @throws EngineException when it cannot be loaded, or lacks what is needed of it
   */
  static synchronized AsyncProfilerLibrary load() throws EngineException {
    AsyncProfilerLibrary library = loaded;
    if (library == null) {
      library = loadNow();
      loaded = library;
    }
    return library;
  }

  private static AsyncProfilerLibrary loadNow() throws EngineException {
    String own = setting();
    String origin = own.isEmpty() ? "its jar" : own;
    @Nullable ScratchFolder scratch = null;
    try {
      Path file;
      if (own.isEmpty()) {
        scratch = ScratchFolder.create();
        file = extract(scratch.path());
      } else {
        file = Path.of(own).toAbsolutePath();
      }
      AsyncProfiler profiler = AsyncProfiler.getInstance(file.toString());
      ForeignLibrary functions = ForeignLibrary.open(file);
      threadDataFunction = functions.addressFunction("asprof_get_thread_local_data");
      MethodHandle register =
          functions.function("asprof_register_jfr_event", FunctionDescriptor.of(JAVA_INT, ADDRESS));
      MethodHandle emit =
          functions.function(
              "asprof_emit_jfr_event",
              FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG));
      return new AsyncProfilerLibrary(profiler, origin, emit, registerEvent(register));
    } catch (IOException | RuntimeException | LinkageError e) {
      throw new EngineException(
          "async-profiler from " + origin + " cannot be loaded: " + e.getMessage(), e);
    } finally {
      // What is loaded stays loaded; the file is of no use any more.
      if (scratch != null) {
        scratch.delete();
      }
    }
  }

  private static String setting() {
    String property = System.getProperty(PROPERTY);
    String variable = property != null ? property : System.getenv(VARIABLE);
    return variable == null ? "" : variable.strip();
  }

  /** Code is loaded from there, so nobody else may be able to write to the folder. */
  private static Path extract(Path folder) throws IOException {
    String resource = "/" + platform() + "/libasyncProfiler.so";
    try (InputStream in = AsyncProfiler.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("there is none for " + platform());
      }
      Path file = folder.resolve("libasyncProfiler.so");
      Files.copy(in, file);
      return file;
    }
  }

  private static String platform() {
    String os = System.getProperty("os.name", "");
    String architecture = System.getProperty("os.arch", "");
    if (os.startsWith("Mac")) {
      return "macos";
    }
    return switch (architecture) {
      case "amd64", "x86_64" -> "linux-x64";
      case "aarch64", "arm64" -> "linux-arm64";
      default -> os + "-" + architecture;
    };
  }

  private static int registerEvent(MethodHandle register) {
    try (Arena arena = Arena.ofConfined()) {
      int key = (int) register.invokeExact(arena.allocateFrom(OpenContext.TYPE));
      if (key < 0) {
        throw new IllegalStateException("asprof_register_jfr_event: " + key);
      }
      return key;
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable t) {
      throw new AssertionError("a native function does not throw", t);
    }
  }

  /**
   * Runs a command of async-profiler.
   *
   * @throws IllegalStateException when it refuses
   */
  String execute(String command) throws IOException {
    return profiler.execute(command).strip();
  }

  String version() {
    return profiler.getVersion();
  }

  String origin() {
    return origin;
  }

  long samples() {
    return profiler.getSamples();
  }

  @Override
  public long threadData() {
    MethodHandle function = ThreadData.FUNCTION;
    if (function == null) {
      return 0;
    }
    try {
      return (long) function.invokeExact();
    } catch (Throwable t) {
      throw new AssertionError("a native function does not throw", t);
    }
  }

  @Override
  public long now() {
    return Recording.timestamp();
  }

  @Override
  public void emitSpan(long start, long end, String traceparent) {
    Span.emit(start, end, traceparent);
  }

  @Override
  public void emitOpenContext(String data) {
    byte[] bytes = data.getBytes(StandardCharsets.ISO_8859_1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment _ =
          (MemorySegment)
              emitEvent.invokeExact(
                  openContextKey,
                  arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_BYTE, bytes),
                  (long) bytes.length);
    } catch (Throwable t) {
      throw new AssertionError("a native function does not throw", t);
    }
  }
}
