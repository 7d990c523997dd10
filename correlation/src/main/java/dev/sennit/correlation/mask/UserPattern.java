/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.mask;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of the user's. It sees bytes as characters, so that bytes that are no UTF-8
 * stay what they are; its own letters beyond ASCII are made bytes likewise.
 */
record UserPattern(Pattern pattern) {
  static UserPattern of(String text) {
    String bytes = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    try {
      return new UserPattern(Pattern.compile(bytes));
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "the pattern \"" + text + "\" is no regular expression: " + e.getDescription(), e);
    }
  }

  /** What it matches; all of the text if that takes too long to find out. */
  @Nullable Cuts find(byte[] text) {
    try {
      return search(text);
    } catch (BoundedText.TooManySteps | StackOverflowError e) {
      Cuts all = new Cuts();
      all.add(0, text.length);
      return all;
    }
  }

  private @Nullable Cuts search(byte[] text) {
    Matcher matcher = pattern.matcher(new BoundedText(text));
    int group = matcher.groupCount() > 0 ? 1 : 0;
    @Nullable Cuts cuts = null;
    while (matcher.find()) {
      int from = matcher.start(group);
      int to = matcher.end(group);
      if (to > from) {
        cuts = cuts == null ? new Cuts() : cuts;
        cuts.add(from, to);
      }
    }
    return cuts;
  }
}
