/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.ring;

/** Who opened a connection, seen from the observed process. */
public enum Way {
  UNKNOWN,
  INBOUND,
  OUTBOUND;

  private static final Way[] ALL = values();

  static Way of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
  }
}
