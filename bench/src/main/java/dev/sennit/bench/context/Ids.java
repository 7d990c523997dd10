/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.context;

import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The ids that one thread writes: fields, so that the compiler cannot know them. */
@State(Scope.Thread)
public class Ids {
  long traceIdHigh = nonZero();
  long traceIdLow = nonZero();
  long spanId = nonZero();
  int flags = 1;

  private static long nonZero() {
    return ThreadLocalRandom.current().nextLong() | 1;
  }
}
