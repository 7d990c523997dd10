/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.Classes;
import dev.sennit.profiles.jfr.Methods;
import dev.sennit.profiles.jfr.StackTraces;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The stacks of one chunk as entries of a dictionary. Every stack trace and every frame is
 * translated once; a frame is known again by its method, line and type.
 */
final class FrameLocations {
  private static final int NO_STACK = 0;

  private final ChunkReader chunk;
  private final ProfilesDictionary dictionary;
  private final boolean withDescriptors;
  private final StackTraces stackTraces;
  private final Methods methods;
  private final Classes classes;
  private final int frameTypeKey;
  private final Map<Long, Integer> frameTypeSets = new HashMap<>();

  /** Open addressing from stack trace to stack, plus one; the sign says that it was truncated. */
  private long[] stackIds = new long[1 << 12];

  private int[] stackEntries = new int[1 << 12];
  private int stackCount;

  /** Open addressing from method and (line, type) to location, plus one. */
  private long[] frameMethods = new long[1 << 12];

  private long[] frameLines = new long[1 << 12];
  private int[] frameEntries = new int[1 << 12];
  private int frameCount;

  private final Map<Long, Integer> functions = new HashMap<>();
  private int[] locations = new int[64];

  FrameLocations(ChunkReader chunk, ProfilesDictionary dictionary, boolean withDescriptors)
      throws IOException {
    this.chunk = chunk;
    this.dictionary = dictionary;
    this.withDescriptors = withDescriptors;
    this.stackTraces = chunk.stackTraces();
    this.methods = chunk.methods();
    this.classes = chunk.classes();
    this.frameTypeKey = dictionary.strings().intern("profile.frame.type");
  }

  /** The stack of a stack trace, complemented ({@code ~stack}) if the recorder cut it off. */
  int stack(long stackTrace) throws IOException {
    if (stackTrace == 0) {
      return NO_STACK;
    }
    int mask = stackIds.length - 1;
    int at = hash(stackTrace) & mask;
    while (stackIds[at] != 0) {
      if (stackIds[at] == stackTrace) {
        return stackEntries[at];
      }
      at = (at + 1) & mask;
    }
    int stack = translate(stackTrace);
    if (++stackCount * 2 > stackIds.length) {
      growStacks();
      mask = stackIds.length - 1;
      at = hash(stackTrace) & mask;
      while (stackIds[at] != 0) {
        at = (at + 1) & mask;
      }
    }
    stackIds[at] = stackTrace;
    stackEntries[at] = stack;
    return stack;
  }

  /** A stack with one more frame, the innermost, of which only the method is known. */
  int withLeaf(int stack, long method) throws IOException {
    int[] all = new int[dictionary.stacks().length(stack) + 1];
    all[0] = location(method, 0, 0);
    for (int i = 1; i < all.length; i++) {
      all[i] = dictionary.stacks().location(stack, i - 1);
    }
    return dictionary.stacks().intern(all, 0, all.length);
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
    int stack = dictionary.stacks().intern(locations, 0, depth);
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
    int location =
        dictionary
            .locations()
            .intern(0, 0, function(method), Math.max(line, 0), 0, frameTypeSet(frameType));
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
    int systemName = descriptor.isEmpty() ? 0 : dictionary.strings().intern(full + descriptor);
    int function =
        dictionary.functions().intern(dictionary.strings().intern(full), systemName, 0, 0);
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
    int attribute = dictionary.attributes().internString(frameTypeKey, value, 0);
    int set = dictionary.attributeSets().intern(attribute);
    frameTypeSets.put(frameType, set);
    return set;
  }

  private void growStacks() {
    long[] ids = stackIds;
    int[] entries = stackEntries;
    stackIds = new long[ids.length * 2];
    stackEntries = new int[ids.length * 2];
    int mask = stackIds.length - 1;
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] != 0) {
        int at = hash(ids[i]) & mask;
        while (stackIds[at] != 0) {
          at = (at + 1) & mask;
        }
        stackIds[at] = ids[i];
        stackEntries[at] = entries[i];
      }
    }
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
