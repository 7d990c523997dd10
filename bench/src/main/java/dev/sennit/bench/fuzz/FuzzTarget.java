/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.bench.fuzz;

import dev.sennit.tracing.protocol.FuzzedParser;
import java.util.List;

/** What Jazzer calls, in a JVM for each parser. */
public final class FuzzTarget {
  /** The property that says which parser it is. */
  static final String PARSER = "sennit.bench.parser";

  private static final FuzzedParser TARGET =
      FuzzedParser.valueOf(System.getProperty(PARSER, FuzzedParser.HTTP1.name()));

  private FuzzTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    List<String> faults = TARGET.play(input).faults();
    if (!faults.isEmpty()) {
      throw new AssertionError(TARGET + " " + faults);
    }
  }
}
