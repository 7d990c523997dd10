/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.thread;

/**
 * What came of setting an attribute: it stands, or why it does not. Nothing is dropped without
 * saying so.
 */
public enum AttributeOutcome {
  SET,
  /** Readers do not know the key; announce it first. */
  KEY_NOT_ANNOUNCED,
  /** The value has more than 255 bytes of UTF-8. */
  VALUE_TOO_LONG,
  /** The record, or the dictionary of values in mode {@code profiler}, is full. */
  NO_ROOM,
  /**
   * Mode {@code otel} has no place for attributes, and before {@link ContextApi#initialize} there
   * is none at all.
   */
  NOT_IN_THIS_MODE
}
