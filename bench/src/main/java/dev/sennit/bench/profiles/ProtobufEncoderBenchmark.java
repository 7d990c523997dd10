/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.profiles;

import dev.sennit.otlp.ProtobufEncoder;
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

/** Writes a thousand values into a buffer that has its size already. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ProtobufEncoderBenchmark {
  private static final int VALUES = 1_000;
  private static final int PACKED = 100;
  private static final int FIELD = 5;

  private final ProtobufEncoder encoder = new ProtobufEncoder();
  private final long[] longs = new long[VALUES];
  private final int[] indices = new int[VALUES];
  private final String[] ascii = new String[VALUES];
  private final String[] utf8 = new String[VALUES];

  /** Values that take so many bytes as varints, or all numbers of them in disorder. */
  @State(Scope.Thread)
  public static class Varints {
    @Param({"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "mixed"})
    String bytes = "";

    final long[] values = new long[VALUES];

    @Setup
    public void prepare() {
      Random random = new Random(42);
      for (int i = 0; i < VALUES; i++) {
        int size = bytes.equals("mixed") ? 1 + random.nextInt(10) : Integer.parseInt(bytes);
        long highest = 1L << Math.min(7 * size - 1, 63);
        values[i] = highest | (random.nextLong() & (highest - 1));
        if (ProtobufEncoder.sizeOfVarint(values[i]) != size) {
          throw new AssertionError(values[i] + " does not take " + size + " bytes");
        }
      }
    }
  }

  @Setup
  public void prepare() {
    Random random = new Random(42);
    for (int i = 0; i < VALUES; i++) {
      longs[i] = random.nextLong();
      indices[i] = random.nextInt(20_000);
      ascii[i] = Names.method(i);
      utf8[i] = Names.className(i) + ".größe漢字😀";
    }
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int varints(Varints varints) {
    encoder.reset();
    for (long value : varints.values) {
      encoder.writeVarint(value);
    }
    return encoder.size();
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int fixed64() {
    encoder.reset();
    for (long value : longs) {
      encoder.writeFixed64(value);
    }
    return encoder.size();
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int asciiStrings() {
    return writeStrings(ascii);
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int utf8Strings() {
    return writeStrings(utf8);
  }

  private int writeStrings(String[] strings) {
    encoder.reset();
    for (String string : strings) {
      encoder.writeString(FIELD, string);
    }
    return encoder.size();
  }

  /** A message whose length is known when it has been written. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int nestedMessages() {
    encoder.reset();
    for (int i = 0; i < VALUES; i++) {
      int start = encoder.beginMessage(FIELD);
      writeContent(i);
      encoder.endMessage(start);
    }
    return encoder.size();
  }

  /** A message whose length is computed first. */
  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int sizedMessages() {
    encoder.reset();
    for (int i = 0; i < VALUES; i++) {
      encoder.writeLengthDelimited(
          FIELD,
          ProtobufEncoder.sizeOfVarintField(1, indices[i])
              + ProtobufEncoder.sizeOfVarintField(2, i)
              + ProtobufEncoder.sizeOfFixed64Field(3));
      writeContent(i);
    }
    return encoder.size();
  }

  private void writeContent(int i) {
    encoder.writeVarintField(1, indices[i]);
    encoder.writeVarintField(2, i);
    encoder.writeFixed64Field(3, longs[i]);
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int packedVarints() {
    encoder.reset();
    for (int i = 0; i < VALUES; i += PACKED) {
      encoder.writePackedVarintField(FIELD, indices, i, PACKED);
    }
    return encoder.size();
  }

  @Benchmark
  @OperationsPerInvocation(VALUES)
  public int packedFixed64() {
    encoder.reset();
    for (int i = 0; i < VALUES; i += PACKED) {
      encoder.writePackedFixed64Field(FIELD, longs, i, PACKED);
    }
    return encoder.size();
  }
}
