/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.jfr;

/** How a field is encoded, and so how its value is to be understood. */
public enum FieldKind {
  BOOLEAN(1, false),
  BYTE(1, false),
  SHORT(2, true),
  CHAR(2, true),
  INT(4, true),
  LONG(8, true),
  /** Its value is that of {@link #DOUBLE}. */
  FLOAT(4, false),
  /** Its value is the bits of the number. */
  DOUBLE(8, false),
  TEXT(0, false),
  /** The number of a constant. */
  CONSTANT(8, true),
  /** Members in a row; its value is where they start. */
  STRUCTURE(0, false),
  /** A count and elements; its value is where the count is. */
  ARRAY(0, false);

  private final int plainSize;
  private final boolean compressible;

  FieldKind(int plainSize, boolean compressible) {
    this.plainSize = plainSize;
    this.compressible = compressible;
  }

  /** Bytes without compression; 0 if that differs from value to value. */
  int plainSize() {
    return plainSize;
  }

  boolean compressible() {
    return compressible;
  }
}
