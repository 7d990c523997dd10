/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel.ring;

/** Who opened a connection, seen from the observed process. */
public enum Way {
  UNKNOWN((byte) 0),
  INBOUND((byte) 1),
  OUTBOUND((byte) 2);

  private static final Way[] ALL = values();

  private final byte number;

  Way(byte number) {
    this.number = number;
  }

  /** The number that the programs have for it. */
  public byte number() {
    return number;
  }

  static Way of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : UNKNOWN;
  }
}
