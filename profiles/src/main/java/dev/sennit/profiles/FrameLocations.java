/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.Classes;
import dev.sennit.profiles.jfr.Methods;
import dev.sennit.profiles.jfr.StackTraces;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The stacks of one chunk as entries of a dictionary. Every stack trace and every frame is
 * translated once.
 */
final class FrameLocations {
  private static final int NO_STACK = 0;

  /** No stack has this number either, see {@link KnownStacks#UNKNOWN}. */
  private static final int PENDING = KnownStacks.UNKNOWN + 1;

  private static final String FRAME_TYPE = "jdk.types.FrameType";

  private final ChunkReader chunk;
  private final SharedStacks shared;
  private final KnownStacks known;
  private final boolean withDescriptors;
  private final StackTraces stackTraces;
  private final Methods methods;
  private final Classes classes;
  private final Map<Long, Integer> frameTypeSets = new HashMap<>();
  private final Map<Long, Integer> functions = new HashMap<>();
  private final int generation;

  /** The stack of a stack trace by its slot, complemented if it was truncated. */
  private final int[] stacks;

  /** The location of a frame by its number. */
  private int[] frameLocations = new int[1 << 10];

  private int frameCount;

  /** The methods and types of frames that stack traces refer to and the chunk does not have. */
  private final Set<Long> missingMethods = new HashSet<>();

  private final Set<Long> missingTypes = new HashSet<>();

  /** The frames that have such a method or type: another chunk may say more of the same bytes. */
  private final BitSet vagueFrames = new BitSet();

  private final PendingStacks pending = new PendingStacks();

  FrameLocations(ChunkReader chunk, SharedStacks shared, KnownStacks known, boolean withDescriptors)
      throws IOException {
    this.chunk = chunk;
    this.shared = shared;
    this.known = known;
    this.withDescriptors = withDescriptors;
    this.stackTraces = chunk.stackTraces();
    this.methods = chunk.methods();
    this.classes = chunk.classes();
    for (long method : methods.ids()) {
      function(method);
    }
    for (long frameType : chunk.pool(FRAME_TYPE).ids()) {
      frameTypeSet(frameType);
    }
    this.generation = known.join(functions, frameTypeSets);
    this.stacks = new int[stackTraces.slots()];
    Arrays.fill(stacks, KnownStacks.UNKNOWN);
  }

  /**
   * The stacks of the first {@code size} stack traces, each complemented ({@code ~stack}) if the
   * recorder cut it off.
   */
  void find(long[] traces, int[] found, int size) throws IOException {
    for (int i = 0; i < size; i++) {
      found[i] = resolve(traces[i]);
    }
    intern();
    for (int i = 0; i < size; i++) {
      found[i] = found[i] < 0 ? NO_STACK : stacks[found[i]];
    }
  }

  /** A stack with one more frame, the innermost, of which only the method is known. */
  int withLeaf(int stack, long method) throws IOException {
    return shared.withLeaf(stack, location(method, 0, 0));
  }

  /** The slot of a stack trace, whose stack is known or pending now; -1 if there is none. */
  private int resolve(long stackTrace) throws IOException {
    int slot = stackTrace == 0 ? -1 : stackTraces.slot(stackTrace);
    if (slot >= 0 && stacks[slot] == KnownStacks.UNKNOWN) {
      int stack = known(slot);
      stacks[slot] = stack == KnownStacks.UNKNOWN ? translate(slot) : stack;
    }
    return slot;
  }

  /**
   * The stack that another chunk has found. One that may lack methods is not told, for what others
   * have found so far depends on which threads were faster.
   */
  private int known(int slot) {
    return chunk.chunk().partial()
        ? KnownStacks.UNKNOWN
        : known.get(
            generation, stackTraces.fingerprintHigh(slot), stackTraces.fingerprintLow(slot));
  }

  private int translate(int slot) throws IOException {
    if (pending.isFull()) {
      intern();
    }
    stackTraces.findAt(slot);
    stackTraces.copyFrames(pending.room(stackTraces.depth()), pending.start());
    pending.add(slot, stackTraces.depth(), stackTraces.truncation());
    return PENDING;
  }

  private void intern() throws IOException {
    locateFrames();
    pending.locate(frameLocations, vagueFrames);
    shared.intern(pending);
    for (int i = 0; i < pending.size(); i++) {
      int slot = pending.slot(i);
      stacks[slot] = pending.stack(i);
      if (!pending.isVague(i)) {
        known.put(
            generation,
            stackTraces.fingerprintHigh(slot),
            stackTraces.fingerprintLow(slot),
            stacks[slot]);
      }
    }
    pending.clear();
  }

  /** Finds the locations of frames that are new. */
  private void locateFrames() throws IOException {
    int count = stackTraces.frameCount();
    if (count > frameLocations.length) {
      frameLocations = Arrays.copyOf(frameLocations, Math.max(count, 2 * frameLocations.length));
    }
    for (; frameCount < count; frameCount++) {
      long method = stackTraces.method(frameCount);
      long type = stackTraces.frameType(frameCount);
      frameLocations[frameCount] = location(method, stackTraces.line(frameCount), type);
      if (missingMethods.contains(method) || missingTypes.contains(type)) {
        vagueFrames.set(frameCount);
      }
    }
  }

  private int location(long method, int line, long frameType) throws IOException {
    return shared.location(function(method), Math.max(line, 0), frameTypeSet(frameType));
  }

  private int function(long method) throws IOException {
    Integer known = functions.get(method);
    if (known != null) {
      return known;
    }
    String className = "";
    String name = "";
    String descriptor = "";
    if (methods.find(method)) {
      name = orEmpty(chunk.symbol(methods.nameSymbol()));
      descriptor = withDescriptors ? orEmpty(chunk.symbol(methods.descriptorSymbol())) : "";
      if (classes.find(methods.classId())) {
        className = orEmpty(chunk.symbol(classes.nameSymbol())).replace('/', '.');
      }
    } else {
      missingMethods.add(method);
    }
    String full = className.isEmpty() ? name : name.isEmpty() ? className : className + "." + name;
    if (full.isEmpty()) {
      full = "[unknown]";
    }
    int function = shared.function(full, descriptor.isEmpty() ? "" : full + descriptor);
    functions.put(method, function);
    return function;
  }

  private int frameTypeSet(long frameType) throws IOException {
    Integer known = frameTypeSets.get(frameType);
    if (known != null) {
      return known;
    }
    @Nullable String type = chunk.frameType(frameType);
    if (type == null) {
      missingTypes.add(frameType);
    }
    String value =
        switch (orEmpty(type)) {
          case "Native", "C++" -> "native";
          case "Kernel" -> "kernel";
          default -> "jvm";
        };
    int set = shared.frameType(value);
    frameTypeSets.put(frameType, set);
    return set;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
