/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

/** Why a message was given up. */
public enum DropReason {
  /** The collector refused it for good. */
  REJECTED,
  /** It had waited longest when the queue was full, or there is no queue. */
  QUEUE_FULL,
  /** It is larger than what OTLP's receivers take. */
  TOO_LARGE,
  /** Its file could not be written or read. */
  DISK_ERROR,
  /** It came after the end. */
  CLOSED,
  /** Sennit itself failed, or memory was short. */
  FAULT
}
