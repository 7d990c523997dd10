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
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stacks of one chunk as entries of a dictionary. Every stack trace and every frame is
 * translated once; a frame is known again by its method, line and type.
 */
final class FrameLocations {
  private static final int NO_STACK = 0;
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

  /** Open addressing from method and (line, type) to location, plus one. */
  private long[] frameMethods = new long[1 << 12];

  private long[] frameLines = new long[1 << 12];
  private int[] frameEntries = new int[1 << 12];
  private int frameCount;

  private int[] locations = new int[64];

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
      found[i] = stack(traces[i]);
    }
  }

  private int stack(long stackTrace) throws IOException {
    int slot = stackTrace == 0 ? -1 : stackTraces.slot(stackTrace);
    if (slot < 0) {
      return NO_STACK;
    }
    int stack = stacks[slot];
    if (stack == KnownStacks.UNKNOWN) {
      stack = resolve(stackTrace, slot);
      stacks[slot] = stack;
    }
    return stack;
  }

  /** A stack with one more frame, the innermost, of which only the method is known. */
  int withLeaf(int stack, long method) throws IOException {
    return shared.withLeaf(stack, location(method, 0, 0));
  }

  private int resolve(long stackTrace, int slot) throws IOException {
    long high = stackTraces.fingerprintHigh(slot);
    long low = stackTraces.fingerprintLow(slot);
    if ((high | low) == 0) {
      return translate(stackTrace);
    }
    int stack = known.get(generation, high, low);
    if (stack == KnownStacks.UNKNOWN) {
      stack = translate(stackTrace);
      known.put(generation, high, low, stack);
    }
    return stack;
  }

  private int translate(long stackTrace) throws IOException {
    if (!stackTraces.find(stackTrace)) {
      return NO_STACK;
    }
    int depth = stackTraces.depth();
    if (depth > locations.length) {
      locations = new int[Math.max(depth, 2 * locations.length)];
    }
    for (int i = 0; i < depth; i++) {
      locations[i] = location(stackTraces.method(i), stackTraces.line(i), stackTraces.frameType(i));
    }
    int stack = shared.stack(locations, depth);
    return stackTraces.truncated() ? ~stack : stack;
  }

  private int location(long method, int line, long frameType) throws IOException {
    long lineAndType = (long) line << 16 | (frameType & 0xFFFF);
    int mask = frameMethods.length - 1;
    int at = hash(method * 31 + lineAndType) & mask;
    while (frameEntries[at] != 0) {
      if (frameMethods[at] == method && frameLines[at] == lineAndType) {
        return frameEntries[at] - 1;
      }
      at = (at + 1) & mask;
    }
    int location = shared.location(function(method), Math.max(line, 0), frameTypeSet(frameType));
    frameMethods[at] = method;
    frameLines[at] = lineAndType;
    frameEntries[at] = location + 1;
    if (++frameCount * 2 > frameMethods.length) {
      growFrames();
    }
    return location;
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
    String value =
        switch (orEmpty(chunk.frameType(frameType))) {
          case "Native", "C++" -> "native";
          case "Kernel" -> "kernel";
          default -> "jvm";
        };
    int set = shared.frameType(value);
    frameTypeSets.put(frameType, set);
    return set;
  }

  private void growFrames() {
    long[] oldMethods = frameMethods;
    long[] oldLines = frameLines;
    int[] oldEntries = frameEntries;
    int length = oldMethods.length * 2;
    frameMethods = new long[length];
    frameLines = new long[length];
    frameEntries = new int[length];
    for (int i = 0; i < oldMethods.length; i++) {
      if (oldEntries[i] != 0) {
        int at = hash(oldMethods[i] * 31 + oldLines[i]) & length - 1;
        while (frameEntries[at] != 0) {
          at = (at + 1) & length - 1;
        }
        frameMethods[at] = oldMethods[i];
        frameLines[at] = oldLines[i];
        frameEntries[at] = oldEntries[i];
      }
    }
  }

  private static int hash(long value) {
    long mixed = value * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
