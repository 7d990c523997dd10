/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.time.Duration;
import java.util.Optional;

/** What came of sending one message. */
public sealed interface SendResult {
  /**
   * The collector has it.
   *
   * @param rejected how many profiles or log records of it the collector refused, for good
   * @param message what the collector had to say; empty most of the time
   */
  record Delivered(long rejected, String message) implements SendResult {}

  /**
   * The collector does not have it and may take it later.
   *
   * @param after how long to wait at least, if the collector said so
   */
  record Retry(String reason, Optional<Duration> after) implements SendResult {}

  /** The collector will never take it. */
  record Rejected(String reason) implements SendResult {}

  /** It was sent and the answer was lost: the collector may have it or not. */
  record Unknown(String reason) implements SendResult {}
}
