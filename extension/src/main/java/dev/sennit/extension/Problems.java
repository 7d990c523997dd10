/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.extension;

import dev.sennit.context.ContextLog;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Says what the extension cannot do, and why. */
final class Problems {
  private static final AtomicBoolean UNLINKED = new AtomicBoolean();

  private Problems() {}

  /**
   * Logs a line. Where a class cannot be initialized, as without native access, whatever comes
   * later fails for the same cause: that is said once.
   */
  static void warn(String what, Throwable problem) {
    if (!(problem instanceof LinkageError) || UNLINKED.compareAndSet(false, true)) {
      ContextLog.warn(what + ": " + reason(problem));
    }
  }

  private static String reason(Throwable problem) {
    // An error of a class that cannot be initialized has no message, or none that says why.
    @Nullable Throwable cause = problem instanceof LinkageError ? problem.getCause() : null;
    Throwable first = Objects.requireNonNullElse(cause, problem);
    String reason = Objects.requireNonNullElse(first.getMessage(), first.toString());
    return first instanceof IllegalCallerException
        ? reason + " (--enable-native-access=ALL-UNNAMED allows it)"
        : reason;
  }
}
