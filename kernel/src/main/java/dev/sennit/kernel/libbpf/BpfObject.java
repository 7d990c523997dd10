/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.libbpf;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.sennit.context.memory.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * An object file with programs and maps, from opening it over loading and attaching to the end,
 * when all of it is detached and gone. Nothing is pinned: the kernel takes it back, too, when this
 * process dies. Attaching and detaching is safe from any thread.
 */
public final class BpfObject implements AutoCloseable {
  private static final int LOG_SIZE = 4 * 1024 * 1024;
  private static final int OPTIONS_SIZE = 80;
  private static final int RUN_OPTIONS_SIZE = 80;
  private static final long RUN_OPTIONS_CONTEXT = 32;
  private static final long RUN_OPTIONS_CONTEXT_SIZE = 48;
  private static final long OPTIONS_NAME = 8;
  private static final long OPTIONS_LOG = 56;
  private static final long OPTIONS_LOG_SIZE = 64;
  private static final int SK_MSG_VERDICT = 7;
  private static final int DETACHING = 16;

  private final Arena arena;
  private final MemorySegment object;
  private final MemorySegment log;
  private final List<MemorySegment> links = new ArrayList<>();
  private final List<Runnable> detachments = new ArrayList<>();

  private BpfObject(Arena arena, MemorySegment object, MemorySegment log) {
    this.arena = arena;
    this.object = object;
    this.log = log;
  }

  /** Whether libbpf can be loaded here. */
  public static boolean isSupported() {
    return Libbpf.isAvailable();
  }

  /** The library that is needed, for messages. */
  public static String library() {
    return Libbpf.LIBRARY;
  }

  /**
   * Opens an object file that is in memory.
   *
   * @throws BpfException when it is none
   */
  public static BpfObject open(String name, byte[] image) {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment bytes = arena.allocate(image.length, 8);
      MemorySegment.copy(image, 0, bytes, JAVA_BYTE, 0, image.length);
      MemorySegment log = arena.allocate(LOG_SIZE);
      MemorySegment options = arena.allocate(OPTIONS_SIZE, 8);
      options.set(JAVA_LONG, 0, OPTIONS_SIZE);
      options.set(ADDRESS, OPTIONS_NAME, arena.allocateFrom(name));
      options.set(ADDRESS, OPTIONS_LOG, log);
      options.set(JAVA_LONG, OPTIONS_LOG_SIZE, LOG_SIZE);
      return new BpfObject(arena, Libbpf.openMemory(bytes, options), log);
    } catch (BpfException e) {
      arena.close();
      throw e;
    }
  }

  /** Before loading: writes what a map of constants begins with. */
  public void initialize(String map, Consumer<MemorySegment> writer) {
    writer.accept(Libbpf.initialValue(Libbpf.findMap(object, map)));
  }

  /** Before loading: how many entries a map has at most; of a ring, how many bytes. */
  public void resize(String map, int entries) {
    int result = Libbpf.setMaxEntries(Libbpf.findMap(object, map), entries);
    if (result < 0) {
      throw new BpfException("the map " + map + " cannot have " + entries + " entries", -result);
    }
  }

  /** Before loading: has the programs use a map that is there already, and outlives them. */
  public void reuse(String map, int fd) {
    int result = Libbpf.reuse(Libbpf.findMap(object, map), fd);
    if (result < 0) {
      throw new BpfException("the map " + map + " cannot be taken over", -result);
    }
  }

  /** Before loading: leaves a program out. */
  public void leaveOut(String program) {
    Libbpf.setAutoload(Libbpf.findProgram(object, program), false);
  }

  public List<String> programs() {
    List<String> names = new ArrayList<>();
    MemorySegment program = Libbpf.nextProgram(object, MemorySegment.NULL);
    while (program.address() != 0) {
      names.add(Libbpf.programName(program));
      program = Libbpf.nextProgram(object, program);
    }
    return names;
  }

  /**
   * Makes the maps, and has the kernel check the programs.
   *
   * @throws BpfException with the verifier's log when it refuses one
   */
  public void load() {
    int result = Libbpf.load(object);
    if (result < 0) {
      throw new BpfException("the kernel refuses the programs", -result, log.getString(0));
    }
  }

  public BpfMap map(String name) {
    MemorySegment map = Libbpf.findMap(object, name);
    return new BpfMap(name, Libbpf.mapFd(map), Libbpf.keySize(map), Libbpf.valueSize(map));
  }

  /** Attaches a program where its section says. */
  public synchronized void attach(String program) {
    links.add(Libbpf.attach(Libbpf.findProgram(object, program)));
  }

  /**
   * Attaches a program to a cgroup whose folder is open.
   *
   * @return what detaches it from there again, which may be done when all is detached, too
   */
  public synchronized Runnable attachToCgroup(String program, int cgroup) {
    MemorySegment link = Libbpf.attachCgroup(Libbpf.findProgram(object, program), cgroup);
    links.add(link);
    return () -> detach(link);
  }

  private synchronized void detach(MemorySegment link) {
    if (links.remove(link)) {
      Libbpf.destroyLink(link);
    }
  }

  /** Attaches a program to a place in an executable or library, in every process (-1) or in one. */
  public synchronized void attachToFunction(
      String program, boolean atReturn, int pid, String file, long offset) {
    links.add(
        Libbpf.attachUprobe(Libbpf.findProgram(object, program), atReturn, pid, file, offset));
  }

  /** Attaches a program to what the sockets in a map send. */
  public synchronized void attachToSockets(String program, BpfMap sockets) {
    int fd = Libbpf.programFd(Libbpf.findProgram(object, program));
    int result = Libbpf.attachProgram(fd, sockets.fd(), SK_MSG_VERDICT);
    if (result < 0) {
      throw new BpfException("the program " + program + " cannot be attached to sockets", -result);
    }
    detachments.add(() -> Libbpf.detachProgram(fd, sockets.fd(), SK_MSG_VERDICT));
  }

  /** Has a program run once for each thing that it is an iterator of. */
  public void iterate(String program) {
    MemorySegment link = Libbpf.attachIterator(Libbpf.findProgram(object, program));
    try {
      int fd = Libbpf.createIterator(link);
      if (fd < 0) {
        throw new BpfException("the program " + program + " cannot iterate", -fd);
      }
      try (Arena buffer = Arena.ofConfined()) {
        MemorySegment nothing = buffer.allocate(8);
        long result = Libc.read(fd, nothing);
        if (result < 0) {
          throw new BpfException("the program " + program + " cannot iterate", (int) -result);
        }
      } finally {
        Libc.close(fd);
      }
    } finally {
      Libbpf.destroyLink(link);
    }
  }

  /** Has a program of the kind that system calls run, run once, with nothing to work on. */
  public void run(String program) {
    run(program, new byte[0]);
  }

  /** The same, with what it works on. */
  public void run(String program, byte[] context) {
    try (Arena memory = Arena.ofConfined()) {
      MemorySegment options = memory.allocate(RUN_OPTIONS_SIZE, 8);
      options.set(JAVA_LONG, 0, RUN_OPTIONS_SIZE);
      if (context.length > 0) {
        MemorySegment copy = memory.allocate(context.length, 8);
        MemorySegment.copy(context, 0, copy, JAVA_BYTE, 0, context.length);
        options.set(ADDRESS, RUN_OPTIONS_CONTEXT, copy);
        options.set(JAVA_INT, RUN_OPTIONS_CONTEXT_SIZE, context.length);
      }
      int result =
          Libbpf.runProgram(Libbpf.programFd(Libbpf.findProgram(object, program)), options);
      if (result < 0) {
        throw new BpfException("the program " + program + " cannot be run", -result);
      }
    }
  }

  /** Detaches everything; it can be attached again. */
  public synchronized void detach() {
    // For each the kernel waits until nobody runs the program any more; some of these waits can be
    // one.
    try (ExecutorService waiting = Executors.newFixedThreadPool(DETACHING)) {
      links.forEach(link -> waiting.execute(() -> Libbpf.destroyLink(link)));
    }
    links.clear();
    detachments.forEach(Runnable::run);
    detachments.clear();
  }

  @Override
  public void close() {
    detach();
    Libbpf.close(object);
    arena.close();
  }
}
