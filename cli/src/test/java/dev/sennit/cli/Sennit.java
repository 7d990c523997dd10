/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs the command in this JVM, as if its output went to a pipe, and keeps what it prints. */
record Sennit(int status, String out, String err) {
  static Sennit run(String... arguments) {
    return run(new Terminal(false, false), arguments);
  }

  static Sennit run(Terminal terminal, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine(terminal, terminal);
    int status = line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
    return new Sennit(status, out.toString(), err.toString());
  }

  /** The document that was printed, if it is one, and nothing beside it. */
  JsonObject json() {
    return JsonObject.parse(out);
  }
}
