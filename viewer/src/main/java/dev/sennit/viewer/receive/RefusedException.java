/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.receive;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request is not taken; the text tells the sender why. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1;

  private final Refusal refusal;
  private final @Nullable Duration after;

  RefusedException(Refusal refusal, String text, @Nullable Duration after) {
    // Senders cause these, as often as they like; nobody looks at where.
    super(text, null, false, false);
    this.refusal = refusal;
    this.after = after;
  }

  static RefusedException later(Duration after, String text) {
    return new RefusedException(Refusal.LATER, text, after);
  }

  Refusal refusal() {
    return refusal;
  }

  /** When to send it again; null for never. */
  @Nullable Duration after() {
    return after;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
