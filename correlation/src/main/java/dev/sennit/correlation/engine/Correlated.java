/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.engine;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What became of a line. */
public enum Correlated {
  /** It says itself which span it belongs to. */
  LINE,
  /** The record of its thread said it. */
  RECORD,
  /** Its thread served this one request. */
  THREAD,
  /** Its process served this one request. */
  PROCESS,
  /** Its span became known after it. */
  RETROACTIVE,
  /** It belongs to no request: its thread said so, or its process served none. */
  NONE,
  /** It could belong to several requests. */
  AMBIGUOUS,
  /** It was written with the lines of others, by whichever thread. */
  SHARED,
  /** Nobody knows which process it is of. */
  UNKNOWN;

  /** Those that found their span. */
  public static final Set<Correlated> TIED =
      Collections.unmodifiableSet(EnumSet.range(LINE, RETROACTIVE));

  /** Its name in metrics. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
