/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.mask;

import org.jspecify.annotations.Nullable;

/**
 * A secret by its name: {@code password=…}, {@code "api_key":"…"}, {@code Authorization: Basic …}.
 *
 * @param from where the secret begins
 * @param to where it ends
 */
record Assignment(int from, int to) {
  /** What the names of secrets end with, in small letters and without what joins words. */
  private static final String[] NAMES = {
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "secret",
    "apikey",
    "token",
    "accesskey",
    "secretkey",
    "privatekey",
    "credentials",
    "authorization"
  };

  private static final String[] PLAIN = {"null", "true", "false", "none"};

  /** The secret whose name ends before the sign at this place; null if there is none. */
  static @Nullable Assignment at(byte[] text, int sign) {
    int end = sign;
    while (end > 0 && sign - end < 2 && text[end - 1] == ' ') {
      end--;
    }
    boolean quoted = end > 0 && isQuote(text[end - 1]);
    if (quoted) {
      end--;
      while (end > 0 && text[end - 1] == '\\' && sign - end < 8) {
        end--;
      }
    }
    @Nullable String name = name(text, end);
    if (name == null) {
      return null;
    }
    // After a word and a colon there is prose as often as not.
    boolean prose = text[sign] == ':' && !quoted && name.equals("token");
    return prose ? null : value(text, sign + 1, name.equals("authorization"));
  }

  private static boolean isQuote(byte c) {
    return c == '"' || c == '\'';
  }

  private static @Nullable String name(byte[] text, int end) {
    for (String name : NAMES) {
      if (endsWith(text, end, name)) {
        return name;
      }
    }
    return null;
  }

  /** Whether the name ends here, in letters of any size, with or without signs between words. */
  private static boolean endsWith(byte[] text, int end, String name) {
    int at = end;
    for (int i = name.length() - 1; i >= 0; i--) {
      if (at > 0 && at < end && (text[at - 1] == '_' || text[at - 1] == '-')) {
        at--;
      }
      if (at == 0 || (text[at - 1] | 0x20) != name.charAt(i)) {
        return false;
      }
      at--;
    }
    return true;
  }

  private static @Nullable Assignment value(byte[] text, int after, boolean scheme) {
    int from = after;
    while (from < text.length && (text[from] == ' ' || text[from] == '[') && from - after < 4) {
      from++;
    }
    int escapes = from;
    while (escapes < text.length && text[escapes] == '\\' && escapes - from < 4) {
      escapes++;
    }
    boolean quoted = escapes < text.length && isQuote(text[escapes]);
    int begin = quoted ? escapes + 1 : from;
    int end = quoted ? quotedEnd(text, begin, text[escapes], escapes - from) : wordEnd(text, begin);
    if (scheme) {
      int word = wordEnd(text, begin);
      if (word < text.length && text[word] == ' ' && isScheme(text, begin, word)) {
        begin = word + 1;
        end = quoted ? Math.max(end, begin) : wordEnd(text, begin);
      }
    }
    return end > begin && (quoted || !isPlain(text, begin, end))
        ? new Assignment(begin, end)
        : null;
  }

  /** Where the text in quotes ends; escaped ones end it only if the first was escaped as much. */
  private static int quotedEnd(byte[] text, int from, byte quote, int escapes) {
    int backslashes = 0;
    for (int i = from; i < text.length; i++) {
      if (text[i] == '\\') {
        backslashes++;
      } else {
        if (text[i] == quote && backslashes <= escapes) {
          return i - backslashes;
        }
        backslashes = 0;
      }
    }
    return text.length;
  }

  private static int wordEnd(byte[] text, int from) {
    int at = from;
    while (at < text.length && !Characters.endsValue(text[at])) {
      at++;
    }
    return at;
  }

  private static boolean isScheme(byte[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!Characters.isLetter(text[i])) {
        return false;
      }
    }
    return to > from && to - from <= 12;
  }

  private static boolean isPlain(byte[] text, int from, int to) {
    for (String word : PLAIN) {
      if (to - from == word.length() && Characters.find(text, from, to, word) == from) {
        return true;
      }
    }
    return false;
  }
}
