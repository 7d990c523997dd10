/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.mask;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces what looks like a secret by asterisks: bearer tokens, passwords in URLs, keys of clouds,
 * and what the user's own patterns name. May be used by several threads at the same time.
 */
public final class Masks {
  private final boolean known;
  private final List<UserPattern> patterns;

  private Masks(boolean known, List<UserPattern> patterns) {
    this.known = known;
    this.patterns = patterns;
  }

  /** Masks nothing. */
  public static Masks none() {
    return new Masks(false, List.of());
  }

  /** The patterns that are on by default. */
  public static Masks standard() {
    return new Masks(true, List.of());
  }

  /**
   * The standard ones and some more. A text that takes one of them too many steps to search is
   * masked as a whole, for what is in it is not known.
   *
   * @param patterns regular expressions; of one with a group, the group is masked, else all of it
   * @throws IllegalArgumentException naming the pattern and what is wrong with it
   */
  public static Masks with(List<String> patterns) {
    return new Masks(true, patterns.stream().map(UserPattern::of).toList());
  }

  /** The same bytes where nothing is masked, which is the usual case. */
  public byte[] apply(byte[] text) {
    byte[] masked = known ? cut(text, KnownSecrets.find(text)) : text;
    for (UserPattern pattern : patterns) {
      masked = cut(masked, pattern.find(masked));
    }
    return masked;
  }

  private static byte[] cut(byte[] text, @Nullable Cuts cuts) {
    return cuts == null ? text : cuts.apply(text);
  }
}
