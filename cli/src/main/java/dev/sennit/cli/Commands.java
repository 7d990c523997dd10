/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Where a command writes: the streams of the command line that runs it. */
final class Commands {
  private Commands() {}

  static PrintWriter out(@Nullable CommandSpec spec) {
    return require(spec).commandLine().getOut();
  }

  static PrintWriter err(@Nullable CommandSpec spec) {
    return require(spec).commandLine().getErr();
  }

  /** picocli sets the field after construction. */
  private static CommandSpec require(@Nullable CommandSpec spec) {
    if (spec == null) {
      throw new IllegalStateException("a command runs only under a command line");
    }
    return spec;
  }
}
