/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

import dev.sennit.profiles.dictionary.FunctionTable;
import dev.sennit.profiles.dictionary.StackTable;
import dev.sennit.profiles.dictionary.StringTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Fills a table from empty to all its entries; one operation is all the {@link Requests}. Tables
 * and maps are emptied and used again, so that none of them grows.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DictionaryTableBenchmark {
  private static final int DEPTH = 20;

  @Param({"100", "1000", "10000"})
  int uniqueEntries;

  @Param({"0.0", "0.5", "0.95"})
  double hitRate;

  private int[] requests = {};

  /** The hash of each is known. A hit is another string than the one in the table. */
  private String[] strings = {};

  private int[][] stacks = {};

  private final StringTable stringTable = new StringTable();
  private final Map<String, Integer> stringMap = new HashMap<>();
  private final List<String> stringList = new ArrayList<>();
  private final FunctionTable functionTable = new FunctionTable();
  private final StackTable stackTable = new StackTable();

  @Setup
  public void prepare() {
    requests = Requests.of(uniqueEntries, hitRate);
    strings = new String[requests.length];
    stacks = new int[requests.length][];
    Random random = new Random(7);
    String[] equalStrings = new String[uniqueEntries];
    int[][] equalStacks = new int[uniqueEntries][];
    int known = 0;
    for (int i = 0; i < requests.length; i++) {
      int entry = requests[i];
      if (entry == known) {
        known++;
        strings[i] = Names.method(entry);
        stacks[i] = random.ints(DEPTH, 1, 5_000).toArray();
        equalStrings[entry] = copy(strings[i]);
        equalStacks[entry] = stacks[i].clone();
      } else {
        strings[i] = equalStrings[entry];
        stacks[i] = equalStacks[entry];
      }
    }
  }

  private static String copy(String text) {
    String copy =
        new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1);
    if (copy.hashCode() != text.hashCode()) {
      throw new AssertionError(text);
    }
    return copy;
  }

  @Benchmark
  public int strings() {
    stringTable.reset();
    int sum = 0;
    for (String string : strings) {
      sum += stringTable.intern(string);
    }
    return sum;
  }

  /** Indices to strings: all that a table of strings is asked for. */
  @Benchmark
  public int stringsInHashMap() {
    stringMap.clear();
    stringList.clear();
    int sum = 0;
    for (String string : strings) {
      sum += stringMap.computeIfAbsent(string, this::add);
    }
    return sum;
  }

  private Integer add(String string) {
    stringList.add(string);
    return stringList.size();
  }

  /** Indices only, without the way back to the string: less than a table of strings does. */
  @Benchmark
  public int stringsInHashMapOnly() {
    stringMap.clear();
    int sum = 0;
    for (String string : strings) {
      sum += stringMap.computeIfAbsent(string, key -> stringMap.size() + 1);
    }
    return sum;
  }

  @Benchmark
  public int functions() {
    functionTable.reset();
    int sum = 0;
    for (int request : requests) {
      sum += functionTable.intern(request + 1, 0, request / 20 + 1, 0);
    }
    return sum;
  }

  @Benchmark
  public int stacks() {
    stackTable.reset();
    int sum = 0;
    for (int[] stack : stacks) {
      sum += stackTable.intern(stack, 0, stack.length);
    }
    return sum;
  }
}
