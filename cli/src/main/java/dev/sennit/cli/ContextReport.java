/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import org.jspecify.annotations.Nullable;

/**
 * What was found out about one process, before it is put into words.
 *
 * @param threads null when nobody asked for them, or when there is no process record to start from
 */
record ContextReport(int pid, ProcessReading process, @Nullable ThreadReading threads) {

  /** Why part of what was asked for is not there; null when all of it is. */
  @Nullable String problem() {
    return switch (process) {
      case ProcessReading.NotPublished() -> "process " + pid + " publishes no context";
      case ProcessReading.Malformed(String reason) ->
          "process " + pid + " publishes a malformed context: " + reason;
      case ProcessReading.Unreadable(String reason) -> reason;
      case ProcessReading.Published published -> threadProblem();
    };
  }

  private @Nullable String threadProblem() {
    return switch (threads) {
      case ThreadReading.Unavailable(String reason) -> reason;
      case ThreadReading.Malformed(String reason) ->
          "process " + pid + " publishes malformed thread contexts: " + reason;
      case ThreadReading.Threads read -> null;
      case null -> null;
    };
  }

  /** The exit status that this deserves. */
  int status() {
    if (process instanceof ProcessReading.Unreadable) {
      return CommandFailure.WRONG_INPUT;
    }
    return problem() == null ? 0 : CommandFailure.NOT_SO;
  }
}
