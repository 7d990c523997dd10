/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import dev.sennit.profiles.dictionary.ProfilesDictionary;
import dev.sennit.profiles.jfr.ChunkReader;
import dev.sennit.profiles.jfr.Threads;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The attribute sets of the samples of one chunk, by the constants that an event names: its thread,
 * the class that it concerns, the state of the thread, and whether its stack was cut off. Each
 * combination is made once.
 */
final class AttributeCombinations {
  /** What async-profiler has for a state where it looks at none. */
  static final String NO_STATE = "STATE_DEFAULT";

  private static final int KEY_LENGTH = 3;

  private final ChunkReader chunk;
  private final ProfilesDictionary dictionary;
  private final Threads threads;
  private final int threadIdKey;
  private final int threadNameKey;
  private final int virtualKey;
  private final int stateKey;
  private final int truncatedKey;

  private long[] keys = new long[KEY_LENGTH << 10];
  private int[] sets = new int[1 << 10];
  private int count;

  AttributeCombinations(ChunkReader chunk, ProfilesDictionary dictionary) throws IOException {
    this.chunk = chunk;
    this.dictionary = dictionary;
    this.threads = chunk.threads();
    this.threadIdKey = dictionary.strings().intern("thread.id");
    this.threadNameKey = dictionary.strings().intern("thread.name");
    this.virtualKey = dictionary.strings().intern("sennit.thread.virtual");
    this.stateKey = dictionary.strings().intern("jvm.thread.state");
    this.truncatedKey = dictionary.strings().intern("sennit.stack.truncated");
  }

  /**
   * The set of a combination; each constant may be 0 for none.
   *
   * @param typeKey the string that the class is an attribute under; 0 without a class
   */
  int set(long thread, long type, int typeKey, long state, boolean truncated) throws IOException {
    long rest = (long) typeKey << 33 | (state & 0xFFFFFFFFL) << 1 | (truncated ? 1 : 0);
    int mask = sets.length - 1;
    int at = hash(thread, type, rest) & mask;
    while (sets[at] != 0) {
      if (keys[at * KEY_LENGTH] == thread
          && keys[at * KEY_LENGTH + 1] == type
          && keys[at * KEY_LENGTH + 2] == rest) {
        return sets[at] - 1;
      }
      at = (at + 1) & mask;
    }
    int set = make(thread, type, typeKey, state, truncated);
    keys[at * KEY_LENGTH] = thread;
    keys[at * KEY_LENGTH + 1] = type;
    keys[at * KEY_LENGTH + 2] = rest;
    sets[at] = set + 1;
    if (++count * 2 > sets.length) {
      grow();
    }
    return set;
  }

  private int make(long thread, long type, int typeKey, long state, boolean truncated)
      throws IOException {
    int[] attributes = new int[6];
    int size = 0;
    if (thread != 0 && threads.find(thread)) {
      long id = threads.osThreadId() != 0 ? threads.osThreadId() : threads.javaThreadId();
      attributes[size++] = dictionary.attributes().internInt(threadIdKey, id, 0);
      @Nullable String javaName = threads.javaName();
      @Nullable String name = javaName != null && !javaName.isEmpty() ? javaName : threads.osName();
      if (name != null && !name.isEmpty()) {
        attributes[size++] = dictionary.attributes().internString(threadNameKey, name, 0);
      }
      if (threads.virtual()) {
        // Its id is Java's, which may be that of another thread for the operating system.
        attributes[size++] = dictionary.attributes().internBool(virtualKey, true, 0);
      }
    }
    @Nullable String className = type == 0 ? null : chunk.constantText("java.lang.Class", type);
    if (className != null && typeKey != 0) {
      attributes[size++] = dictionary.attributes().internString(typeKey, readable(className), 0);
    }
    @Nullable String stateName = state == 0 ? null : chunk.threadState(state);
    if (stateName != null && !stateName.equals(NO_STATE)) {
      attributes[size++] = dictionary.attributes().internString(stateKey, state(stateName), 0);
    }
    if (truncated) {
      attributes[size++] = dictionary.attributes().internBool(truncatedKey, true, 0);
    }
    return dictionary.attributeSets().intern(attributes, 0, size);
  }

  /**
   * The states that OpenTelemetry's {@code jvm.thread.state} knows, by the names of HotSpot;
   * another state keeps its name.
   */
  private static String state(String name) {
    return switch (name) {
      case "STATE_IN_OBJECT_WAIT", "STATE_PARKED" -> "waiting";
      case "STATE_IN_OBJECT_WAIT_TIMED", "STATE_PARKED_TIMED" -> "timed_waiting";
      case "STATE_BLOCKED_ON_MONITOR_ENTER" -> "blocked";
      default -> name.replaceFirst("^STATE_", "").toLowerCase(Locale.ROOT);
    };
  }

  /** A class as it is written in Java: {@code byte[]} for {@code [B}. */
  static String readable(String name) {
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    String element = name.substring(dimensions).replace('/', '.');
    if (dimensions == 0 || element.isEmpty()) {
      return name.replace('/', '.');
    }
    String readable =
        switch (element.charAt(0)) {
          case 'L' -> element.endsWith(";") ? element.substring(1, element.length() - 1) : element;
          case 'Z' -> "boolean";
          case 'B' -> "byte";
          case 'S' -> "short";
          case 'C' -> "char";
          case 'I' -> "int";
          case 'J' -> "long";
          case 'F' -> "float";
          case 'D' -> "double";
          default -> element;
        };
    return readable + "[]".repeat(dimensions);
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldSets = sets;
    keys = new long[oldKeys.length * 2];
    sets = new int[oldSets.length * 2];
    int mask = sets.length - 1;
    for (int i = 0; i < oldSets.length; i++) {
      if (oldSets[i] != 0) {
        long[] key = Arrays.copyOfRange(oldKeys, i * KEY_LENGTH, (i + 1) * KEY_LENGTH);
        int at = hash(key[0], key[1], key[2]) & mask;
        while (sets[at] != 0) {
          at = (at + 1) & mask;
        }
        System.arraycopy(key, 0, keys, at * KEY_LENGTH, KEY_LENGTH);
        sets[at] = oldSets[i];
      }
    }
  }

  private static int hash(long a, long b, long c) {
    long mixed = ((a * 31 + b) * 31 + c) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }
}
