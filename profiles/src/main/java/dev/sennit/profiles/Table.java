/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import java.util.Locale;

/** The tables of a dictionary, in an order in which each comes after those it refers to. */
enum Table {
  STRING,
  ATTRIBUTE,
  MAPPING,
  FUNCTION,
  LOCATION,
  LINK,
  STACK;

  /** The name of the field in the .proto, with an index. */
  String at(long index) {
    return this + "[" + index + "]";
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT) + "_table";
  }
}
