/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

import dev.sennit.profiles.dictionary.ProfilesDictionary;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * From frames, which are names and lines, to the index of a stack: every frame goes through the
 * strings, functions and locations of a dictionary that is empty at first. The converter does this
 * once for each stack of a chunk, not for each sample.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StackTraceConversionBenchmark {
  /** How many stacks an operation converts; those that are not new are known. */
  private static final int STACKS = 1_000;

  private static final int METHODS = 2_000;

  @Param({"5", "15", "30", "50"})
  int stackDepth;

  @Param({"1", "10", "100"})
  int uniqueStacks;

  private final ProfilesDictionary dictionary = new ProfilesDictionary();
  private Frame[][] stacks = {};
  private int[] locations = {};

  private record Frame(String method, String file, int line) {}

  @Setup
  public void prepare() {
    Random random = new Random(42);
    Frame[] methods = new Frame[METHODS];
    for (int i = 0; i < METHODS; i++) {
      methods[i] = new Frame(Names.method(i), "Worker" + i / 20 + ".java", 10 + i);
    }
    Frame[][] unique = new Frame[uniqueStacks][stackDepth];
    for (Frame[] stack : unique) {
      for (int k = 0; k < stackDepth; k++) {
        stack[k] = methods[random.nextInt(METHODS)];
      }
    }
    stacks = new Frame[STACKS][];
    for (int i = 0; i < STACKS; i++) {
      stacks[i] = unique[i < uniqueStacks ? i : random.nextInt(uniqueStacks)];
    }
    locations = new int[stackDepth];
  }

  @Benchmark
  @OperationsPerInvocation(STACKS)
  public int convert() {
    dictionary.reset();
    int sum = 0;
    for (Frame[] stack : stacks) {
      for (int k = 0; k < stack.length; k++) {
        Frame frame = stack[k];
        int method = dictionary.strings().intern(frame.method);
        int file = dictionary.strings().intern(frame.file);
        int function = dictionary.functions().intern(method, 0, file, 0);
        locations[k] = dictionary.locations().intern(0, 0, function, frame.line, 0, 0);
      }
      sum += dictionary.stacks().intern(locations, 0, stack.length);
    }
    return sum;
  }
}
