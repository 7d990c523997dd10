/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.reader;

import dev.sennit.context.process.AttributeValue;
import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.thread.OtepRecordDescriptor;
import dev.sennit.testing.CProgram;
import dev.sennit.testing.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A running {@code otep_publisher.c}: threads with records that no Java code has written. */
final class OtepPublisher implements AutoCloseable {
  static final long TRACE_ID_HIGH = 0x1234567890abcdefL;
  static final long TRACE_ID_LOW = 0xfedcba9876543210L;

  /** The ways in which a process may have a thread-local variable. */
  enum Shape {
    PROGRAM("", false),
    PROGRAM_AT_FIXED_ADDRESS("-no-pie -fno-pie", false),
    LINKED_DESCRIPTOR("-shared -fPIC -mtls-dialect=gnu2", false),
    LINKED_GLOBAL_DYNAMIC("-shared -fPIC -mtls-dialect=gnu", false),
    LINKED_INITIAL_EXEC("-shared -fPIC -ftls-model=initial-exec", false),
    LINKED_OLD_HASH_TABLE("-shared -fPIC -mtls-dialect=gnu2 -Wl,--hash-style=sysv", false),
    LINKED_BOUND_INITIAL_EXEC("-shared -fPIC -ftls-model=initial-exec -DBOUND_INSIDE", false),
    LOADED_DESCRIPTOR("-shared -fPIC -mtls-dialect=gnu2", true),
    LOADED_GLOBAL_DYNAMIC("-shared -fPIC -mtls-dialect=gnu", true),
    LOADED_DATA_IN_FIRST_PAGE("-shared -fPIC -mtls-dialect=gnu2 -Wl,-z,noseparate-code", true),
    LOADED_INITIAL_EXEC("-shared -fPIC -ftls-model=initial-exec", true),
    LOADED_BOUND_DESCRIPTOR("-shared -fPIC -mtls-dialect=gnu2 -DBOUND_INSIDE", true),
    LOADED_BOUND_GLOBAL_DYNAMIC("-shared -fPIC -mtls-dialect=gnu -DBOUND_INSIDE", true);

    private final String flags;
    private final boolean loaded;

    Shape(String flags, boolean loaded) {
      this.flags = flags;
      this.loaded = loaded;
    }

    private boolean isLibrary() {
      return flags.contains("-shared");
    }

    private List<String> flags() {
      return flags.isEmpty() ? List.of() : List.of(flags.split(" "));
    }
  }

  private final ChildProcess process;
  private final int pid;
  private final Map<String, Integer> tids = new HashMap<>();

  private OtepPublisher(ChildProcess process, boolean inNamespace) {
    this.process = process;
    int ownPid = Integer.parseInt(process.expect("pid "));
    this.pid = inNamespace ? onlyChild(process.pid()) : ownPid;
    for (String line = process.readLine(); !line.equals("ready"); line = process.readLine()) {
      String[] words = line.split(" ");
      tids.put(words[0], Integer.parseInt(words[1]));
    }
  }

  /** Compiles the publisher in a folder of its own; the result is the command that starts it. */
  static List<String> compile(Path parent, Shape shape) {
    Path folder = parent.resolve(shape.name());
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> flags = new ArrayList<>(shape.flags());
    if (!shape.isLibrary()) {
      flags.add("-c");
    }
    Path variable =
        CProgram.compile(
            OtepPublisher.class, "otep_variable.c", folder, flags.toArray(String[]::new));
    List<String> programFlags = new ArrayList<>(List.of("-pthread", "-rdynamic", "-ldl"));
    if (shape.loaded) {
      programFlags.add("-DLOADED");
    } else {
      programFlags.add(variable.toString());
    }
    if (!shape.isLibrary()) {
      programFlags.addAll(shape.flags());
    }
    Path program =
        CProgram.compile(
            OtepPublisher.class, "otep_publisher.c", folder, programFlags.toArray(String[]::new));
    return shape.loaded
        ? List.of(program.toString(), variable.toString())
        : List.of(program.toString());
  }

  static OtepPublisher start(List<String> command) {
    return new OtepPublisher(ChildProcess.start(command), false);
  }

  /** Starts it as the first process of a PID namespace of its own. */
  static OtepPublisher startInNamespace(List<String> command) {
    List<String> unshare =
        new ArrayList<>(
            List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "--"));
    unshare.addAll(List.of("env", "NO_FORK=1"));
    unshare.addAll(command);
    return new OtepPublisher(ChildProcess.start(unshare), true);
  }

  /** The process that {@code unshare} runs, as we number it. */
  static int onlyChild(int pid) {
    return ProcessHandle.of(pid)
        .orElseThrow()
        .children()
        .mapToInt(child -> Math.toIntExact(child.pid()))
        .findFirst()
        .orElseThrow();
  }

  int pid() {
    return pid;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int tid(String kind) {
    return Objects.requireNonNull(tids.get(kind), kind);
  }

  /** What the thread of this kind must be read as, if its ids are set. */
  ThreadRecord record(String kind, String name, Map<String, String> attributes) {
    int tid = tid(kind);
    long span = 0x8000000000000000L | tid;
    return new ThreadRecord(
        tid, name, TRACE_ID_HIGH, TRACE_ID_LOW, span, TRACE_ID_LOW, 1, attributes);
  }

  ThreadRecord record(String kind, Map<String, String> attributes) {
    return record(kind, kind, attributes);
  }

  /** Ends the input of the publisher, upon which it ends. */
  void quit() {
    process.endInput();
  }

  static ProcessContext context(String... keys) {
    return ProcessContext.builder()
        .attribute(OtepRecordDescriptor.SCHEMA_VERSION_KEY, AttributeValue.of("tlsdesc_v1_dev"))
        .attribute(
            OtepRecordDescriptor.ATTRIBUTE_KEY_MAP_KEY, AttributeValue.ofStrings(List.of(keys)))
        .build();
  }

  @Override
  public void close() {
    process.close();
  }
}
