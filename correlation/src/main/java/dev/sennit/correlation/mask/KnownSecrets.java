/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.mask;

import org.jspecify.annotations.Nullable;

/**
 * Finds secrets whose form is known. It looks at every byte once, and closer only at the few that
 * stand inside of a secret or in front of one and are rare elsewhere. Every closer look is bounded
 * or moves on, so that no text takes longer than its length allows.
 */
final class KnownSecrets {
  private static final boolean[] RARE = new boolean[256];

  static {
    for (char c : ":=KSJ_-zBb".toCharArray()) {
      RARE[c] = true;
    }
  }

  private static final int LONGEST_AUTHORITY = 1024;
  private static final int LENGTH_OF_AWS = 20;
  private static final int LENGTH_OF_GOOGLE = 39;

  private final byte[] text;
  private @Nullable Cuts cuts;

  /** Up to here everything is masked already. */
  private int done;

  /** Up to here no web token can begin, for the run of its letters ends without one. */
  private int noWebToken;

  private KnownSecrets(byte[] text) {
    this.text = text;
  }

  /** The places of secrets; null if there are none. */
  static @Nullable Cuts find(byte[] text) {
    @Nullable KnownSecrets search = null;
    for (int i = 0; i < text.length; i++) {
      if (RARE[text[i] & 0xFF]) {
        if (search == null) {
          search = new KnownSecrets(text);
        }
        i = Math.max(i, search.lookAt(i) - 1);
      }
    }
    return search == null ? null : search.cuts;
  }

  /** Looks closer; the result is where to go on. */
  private int lookAt(int at) {
    switch (text[at]) {
      case ':' -> {
        if (starts(at + 1, "//")) {
          passwordOfUrl(at + 3);
        } else {
          assignment(at);
        }
      }
      case '=' -> assignment(at);
      case 'K', 'S' -> accessKeyOfAws(at - 1);
      case 'J' -> webToken(at - 2);
      case '_' -> tokenOfGitHub(at);
      case '-' -> tokenOfSlack(at - 4);
      case 'z' -> keyOfGoogle(at - 2);
      case 'B' -> {
        bearer(at);
        privateKey(at);
      }
      default -> bearer(at);
    }
    return done;
  }

  private void mask(int from, int to) {
    if (from >= done && to > from) {
      Cuts all = cuts;
      if (all == null) {
        all = new Cuts();
        cuts = all;
      }
      all.add(from, to);
      done = to;
    }
  }

  private boolean starts(int at, String word) {
    if (at < 0 || text.length - at < word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      if (text[at + i] != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean isWordBefore(int at) {
    return at > 0 && Characters.isWord(text[at - 1]);
  }

  /** {@code scheme://user:password@host}. */
  private void passwordOfUrl(int from) {
    int colon = -1;
    int sign = -1;
    int limit = Math.min(text.length, from + LONGEST_AUTHORITY);
    for (int i = from; i < limit && Characters.isAuthority(text[i]); i++) {
      if (text[i] == ':' && colon < 0) {
        colon = i;
      } else if (text[i] == '@') {
        sign = i;
      }
    }
    if (colon >= 0 && sign > colon) {
      mask(colon + 1, sign);
    }
  }

  private void assignment(int at) {
    Assignment assignment = Assignment.at(text, at);
    if (assignment != null) {
      mask(assignment.from(), assignment.to());
    }
  }

  /** {@code AKIA} or {@code ASIA}, and 16 capitals and digits. */
  private void accessKeyOfAws(int from) {
    if ((!starts(from, "AKIA") && !starts(from, "ASIA")) || isWordBefore(from)) {
      return;
    }
    int end = run(from, LENGTH_OF_AWS + 1, Characters::isCapitalOrDigit);
    if (end - from == LENGTH_OF_AWS) {
      mask(from, end);
    }
  }

  /** Three parts of base64 with dots between them, the first one an object of JSON. */
  private void webToken(int from) {
    if (!starts(from, "eyJ") || from < noWebToken || isWordBefore(from)) {
      return;
    }
    int head = run(from, Characters::isBase64Url);
    noWebToken = head;
    if (head >= text.length || text[head] != '.') {
      return;
    }
    int claims = run(head + 1, Characters::isBase64Url);
    if (claims > head + 1 && claims < text.length && text[claims] == '.') {
      mask(from, run(claims + 1, Characters::isBase64Url));
    }
  }

  private void tokenOfGitHub(int underscore) {
    int from = underscore - 3;
    boolean classic =
        starts(from, "gh") && "pousr".indexOf(text[from + 2]) >= 0 && !isWordBefore(from);
    boolean fine = starts(underscore - 10, "github_pat_") && !isWordBefore(underscore - 10);
    if (!classic && !fine) {
      return;
    }
    int end = run(underscore + 1, Characters::isWord);
    if (end - underscore > 20) {
      mask(fine ? underscore - 10 : from, end);
    }
  }

  private void tokenOfSlack(int from) {
    if (!starts(from, "xox") || isWordBefore(from) || !Characters.isWord(text[from + 3])) {
      return;
    }
    int end = run(from + 5, Characters::isBase64Url);
    if (end - from >= 15) {
      mask(from, end);
    }
  }

  private void keyOfGoogle(int from) {
    if (!starts(from, "AIza") || isWordBefore(from)) {
      return;
    }
    int end = run(from, LENGTH_OF_GOOGLE + 1, Characters::isBase64Url);
    if (end - from == LENGTH_OF_GOOGLE) {
      mask(from, end);
    }
  }

  /** {@code Bearer} and something that is no word. */
  private void bearer(int from) {
    if (!starts(from + 1, "earer ")) {
      return;
    }
    int begin = from + 7;
    int end = run(begin, Characters::isToken);
    boolean plainWord = run(begin, Characters::isLetter) == end;
    if (end - begin >= 8 && !plainWord) {
      mask(begin, end);
    }
  }

  /**
   * What stands between the two lines of a private key; all that follows if the last is missing.
   */
  private void privateKey(int from) {
    if (!starts(from, "BEGIN ") || !starts(from - 5, "-----")) {
      return;
    }
    int dashes = Characters.find(text, from, Math.min(text.length, from + 64), "-----");
    if (dashes < 0 || Characters.find(text, from, dashes, "PRIVATE KEY") < 0) {
      return;
    }
    int end = Characters.find(text, dashes + 5, text.length, "-----END");
    mask(dashes + 5, end < 0 ? text.length : end);
  }

  private int run(int from, Characters.Kind kind) {
    return run(from, text.length - from, kind);
  }

  private int run(int from, int most, Characters.Kind kind) {
    int limit = Math.min(text.length, from + most);
    int at = from;
    while (at < limit && kind.has(text[at])) {
      at++;
    }
    return at;
  }
}
