/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.libbpf;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/**
 * The functions of libbpf 1.x, in two kinds: those that return a number answer the negative error
 * number, those that return a pointer leave it in {@code errno}.
 */
@SuppressWarnings("restricted")
final class Libbpf {
  static final String LIBRARY = "libbpf.so.1";

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private static final Optional<SymbolLookup> SYMBOLS = load();

  /** One of a thing, not a static per function, so that a machine without libbpf can load this. */
  private static final class Functions {
    static final MethodHandle SET_PRINT = number("libbpf_set_print", ADDRESS);
    static final MethodHandle OPEN = pointer("bpf_object__open_mem", ADDRESS, JAVA_LONG, ADDRESS);
    static final MethodHandle LOAD = number("bpf_object__load", ADDRESS);
    static final MethodHandle CLOSE = number("bpf_object__close", ADDRESS);
    static final MethodHandle NEXT_PROGRAM = pointer("bpf_object__next_program", ADDRESS, ADDRESS);
    static final MethodHandle FIND_PROGRAM =
        pointer("bpf_object__find_program_by_name", ADDRESS, ADDRESS);
    static final MethodHandle PROGRAM_NAME = pointer("bpf_program__name", ADDRESS);
    static final MethodHandle PROGRAM_FD = number("bpf_program__fd", ADDRESS);
    static final MethodHandle SET_AUTOLOAD =
        number("bpf_program__set_autoload", ADDRESS, JAVA_BOOLEAN);
    static final MethodHandle ATTACH = pointer("bpf_program__attach", ADDRESS);
    static final MethodHandle ATTACH_CGROUP =
        pointer("bpf_program__attach_cgroup", ADDRESS, JAVA_INT);
    static final MethodHandle ATTACH_UPROBE =
        pointer("bpf_program__attach_uprobe", ADDRESS, JAVA_BOOLEAN, JAVA_INT, ADDRESS, JAVA_LONG);
    static final MethodHandle ATTACH_ITERATOR =
        pointer("bpf_program__attach_iter", ADDRESS, ADDRESS);
    static final MethodHandle RUN = number("bpf_prog_test_run_opts", JAVA_INT, ADDRESS);
    static final MethodHandle LINK_FD = number("bpf_link__fd", ADDRESS);
    static final MethodHandle CREATE_ITERATOR = number("bpf_iter_create", JAVA_INT);
    static final MethodHandle DESTROY_LINK = number("bpf_link__destroy", ADDRESS);
    static final MethodHandle FIND_MAP = pointer("bpf_object__find_map_by_name", ADDRESS, ADDRESS);
    static final MethodHandle MAP_FD = number("bpf_map__fd", ADDRESS);
    static final MethodHandle MAP_KEY_SIZE = number("bpf_map__key_size", ADDRESS);
    static final MethodHandle MAP_VALUE_SIZE = number("bpf_map__value_size", ADDRESS);
    static final MethodHandle SET_MAX_ENTRIES =
        number("bpf_map__set_max_entries", ADDRESS, JAVA_INT);
    static final MethodHandle REUSE_FD = number("bpf_map__reuse_fd", ADDRESS, JAVA_INT);
    static final MethodHandle CREATE_MAP =
        number("bpf_map_create", JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
    static final MethodHandle FREEZE_MAP = number("bpf_map_freeze", JAVA_INT);
    static final MethodHandle INITIAL_VALUE = pointer("bpf_map__initial_value", ADDRESS, ADDRESS);
    static final MethodHandle UPDATE =
        number("bpf_map_update_elem", JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
    static final MethodHandle LOOKUP = number("bpf_map_lookup_elem", JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle DELETE = number("bpf_map_delete_elem", JAVA_INT, ADDRESS);
    static final MethodHandle NEXT_KEY = number("bpf_map_get_next_key", JAVA_INT, ADDRESS, ADDRESS);
    static final MethodHandle PROGRAM_ATTACH =
        number("bpf_prog_attach", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    static final MethodHandle PROGRAM_DETACH =
        number("bpf_prog_detach2", JAVA_INT, JAVA_INT, JAVA_INT);

    static {
      // Its messages would go to standard error; a refusal carries the verifier's log instead.
      Libbpf.number(SET_PRINT, (Object) MemorySegment.NULL);
    }

    private Functions() {}

    private static MethodHandle number(String name, ValueLayout... parameters) {
      return bind(name, JAVA_INT, parameters);
    }

    private static MethodHandle pointer(String name, ValueLayout... parameters) {
      return bind(name, ADDRESS, parameters, Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle bind(
        String name, ValueLayout result, ValueLayout[] parameters, Linker.Option... options) {
      SymbolLookup symbols =
          SYMBOLS.orElseThrow(() -> new IllegalStateException(LIBRARY + " cannot be loaded"));
      MethodHandle handle =
          LINKER.downcallHandle(
              symbols.findOrThrow(name), FunctionDescriptor.of(result, parameters), options);
      return handle;
    }
  }

  private Libbpf() {}

  static boolean isAvailable() {
    return SYMBOLS.isPresent();
  }

  private static Optional<SymbolLookup> load() {
    try {
      return Optional.of(SymbolLookup.libraryLookup(LIBRARY, Arena.global()));
    } catch (IllegalArgumentException missing) {
      return Optional.empty();
    }
  }

  static MemorySegment openMemory(MemorySegment image, MemorySegment options) {
    return pointer("open", Functions.OPEN, image, image.byteSize(), options);
  }

  static int load(MemorySegment object) {
    return number(Functions.LOAD, object);
  }

  static void close(MemorySegment object) {
    number(Functions.CLOSE, object);
  }

  /** NULL after the last. */
  static MemorySegment nextProgram(MemorySegment object, MemorySegment previous) {
    return nullable(Functions.NEXT_PROGRAM, object, previous);
  }

  static MemorySegment findProgram(MemorySegment object, String name) {
    try (Arena arena = Arena.ofConfined()) {
      return pointer(
          "no program " + name, Functions.FIND_PROGRAM, object, arena.allocateFrom(name));
    }
  }

  static String programName(MemorySegment program) {
    return nullable(Functions.PROGRAM_NAME, program).reinterpret(Integer.MAX_VALUE).getString(0);
  }

  static int programFd(MemorySegment program) {
    return number(Functions.PROGRAM_FD, program);
  }

  static void setAutoload(MemorySegment program, boolean load) {
    number(Functions.SET_AUTOLOAD, program, load);
  }

  static MemorySegment attach(MemorySegment program) {
    return pointer(
        "the program " + programName(program) + " cannot be attached", Functions.ATTACH, program);
  }

  static MemorySegment attachCgroup(MemorySegment program, int cgroup) {
    return pointer(
        "the program " + programName(program) + " cannot be attached to a cgroup",
        Functions.ATTACH_CGROUP,
        program,
        cgroup);
  }

  static MemorySegment attachUprobe(
      MemorySegment program, boolean atReturn, int pid, String file, long offset) {
    try (Arena arena = Arena.ofConfined()) {
      return pointer(
          "the program " + programName(program) + " cannot be attached to " + file,
          Functions.ATTACH_UPROBE,
          program,
          atReturn,
          pid,
          arena.allocateFrom(file),
          offset);
    }
  }

  static MemorySegment attachIterator(MemorySegment program) {
    return pointer(
        "the program " + programName(program) + " cannot be attached",
        Functions.ATTACH_ITERATOR,
        program,
        MemorySegment.NULL);
  }

  /** A descriptor; who reads it to the end has the program run for each thing. */
  static int runProgram(int fd, MemorySegment options) {
    return number(Functions.RUN, fd, options);
  }

  static int createIterator(MemorySegment link) {
    return number(Functions.CREATE_ITERATOR, number(Functions.LINK_FD, link));
  }

  static void destroyLink(MemorySegment link) {
    number(Functions.DESTROY_LINK, link);
  }

  static MemorySegment findMap(MemorySegment object, String name) {
    try (Arena arena = Arena.ofConfined()) {
      return pointer("no map " + name, Functions.FIND_MAP, object, arena.allocateFrom(name));
    }
  }

  static int mapFd(MemorySegment map) {
    return number(Functions.MAP_FD, map);
  }

  static int keySize(MemorySegment map) {
    return number(Functions.MAP_KEY_SIZE, map);
  }

  static int valueSize(MemorySegment map) {
    return number(Functions.MAP_VALUE_SIZE, map);
  }

  static int setMaxEntries(MemorySegment map, int entries) {
    return number(Functions.SET_MAX_ENTRIES, map, entries);
  }

  static int reuse(MemorySegment map, int fd) {
    return number(Functions.REUSE_FD, map, fd);
  }

  /** A map that belongs to no object; the result is its descriptor. */
  static int createMap(
      int type,
      MemorySegment name,
      int keySize,
      int valueSize,
      int entries,
      MemorySegment options) {
    return number(Functions.CREATE_MAP, type, name, keySize, valueSize, entries, options);
  }

  /** From now on only programs write to the map. */
  static int freezeMap(int map) {
    return number(Functions.FREEZE_MAP, map);
  }

  /** The memory that the map begins with, until the object is loaded. */
  static MemorySegment initialValue(MemorySegment map) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(JAVA_LONG);
      MemorySegment value = pointer("a map without data", Functions.INITIAL_VALUE, map, size);
      return value.reinterpret(size.get(JAVA_LONG, 0));
    }
  }

  static int update(int map, MemorySegment key, MemorySegment value, long flags) {
    return number(Functions.UPDATE, map, key, value, flags);
  }

  static int lookup(int map, MemorySegment key, MemorySegment value) {
    return number(Functions.LOOKUP, map, key, value);
  }

  static int delete(int map, MemorySegment key) {
    return number(Functions.DELETE, map, key);
  }

  static int nextKey(int map, MemorySegment key, MemorySegment next) {
    return number(Functions.NEXT_KEY, map, key, next);
  }

  static int attachProgram(int program, int target, int type) {
    return number(Functions.PROGRAM_ATTACH, program, target, type, 0);
  }

  static int detachProgram(int program, int target, int type) {
    return number(Functions.PROGRAM_DETACH, program, target, type);
  }

  private static int number(MethodHandle function, Object... arguments) {
    try {
      return (int) function.invokeWithArguments(arguments);
    } catch (Throwable t) {
      throw new AssertionError("a function of libbpf does not throw", t);
    }
  }

  private static MemorySegment nullable(MethodHandle function, Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      return call(function, arena.allocate(CALL_STATE), arguments);
    }
  }

  private static MemorySegment pointer(String what, MethodHandle function, Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CALL_STATE);
      MemorySegment result = call(function, state, arguments);
      if (result.address() == 0) {
        throw new BpfException(what, (int) ERRNO.get(state, 0L));
      }
      return result;
    }
  }

  private static MemorySegment call(
      MethodHandle function, MemorySegment state, Object... arguments) {
    Object[] all = new Object[arguments.length + 1];
    all[0] = state;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    try {
      return (MemorySegment) function.invokeWithArguments(all);
    } catch (Throwable t) {
      throw new AssertionError("a function of libbpf does not throw", t);
    }
  }
}
