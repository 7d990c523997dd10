/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

/** Ends a command: one line for standard error, and the exit status. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What was asked about is not so. */
  static final int NOT_SO = 1;

  /** Wrong usage or wrong input: nothing could be found out. */
  static final int WRONG_INPUT = 2;

  private final int status;

  private CommandFailure(int status, String line) {
    super(line);
    this.status = status;
  }

  static CommandFailure notSo(String line) {
    return new CommandFailure(NOT_SO, line);
  }

  static CommandFailure wrongInput(String line) {
    return new CommandFailure(WRONG_INPUT, line);
  }

  int status() {
    return status;
  }
}
