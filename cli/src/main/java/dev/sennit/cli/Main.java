/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code sennit} command. */
@Command(name = "sennit", mixinStandardHelpOptions = true)
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }
}
