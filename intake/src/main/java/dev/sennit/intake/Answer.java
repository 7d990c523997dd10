/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.intake;

import java.time.Duration;

/** What became of a request, as OTLP lets one say it. */
public sealed interface Answer {
  Answer TAKEN = new Taken();

  /** All of it was taken. */
  record Taken() implements Answer {}

  /**
   * Some of it was not taken, and sending it again would not help.
   *
   * @param rejected how many spans, log records or profiles
   */
  record TakenInPart(long rejected, String reason) implements Answer {
    public TakenInPart {
      if (rejected < 1) {
        throw new IllegalArgumentException("rejected is " + rejected + ", but must be at least 1");
      }
    }
  }

  /** Nothing of it was taken for want of room; it may be sent again after that time. */
  record Later(Duration after, String reason) implements Answer {}
}
