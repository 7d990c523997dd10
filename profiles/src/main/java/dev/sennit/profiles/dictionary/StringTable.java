/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import dev.sennit.otlp.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The strings of a dictionary; 0 is the empty string. Not safe for use by several threads. */
public final class StringTable {
  private final HashIndex index = new HashIndex();
  private String[] strings = new String[32];

  public StringTable() {
    strings[0] = "";
  }

  /** The index of the string, added now if it is new; null is as good as empty. */
  public int intern(@Nullable String value) {
    if (value == null) {
      return 0;
    }
    int hash = HashIndex.spread(value.hashCode());
    // Its characters, which may be far away, are looked at only if they must be.
    if (hash == 0 && value.isEmpty()) {
      return 0;
    }
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        return add(slot, hash, value);
      }
      if (entry > 0 && strings[entry].equals(value)) {
        return entry;
      }
    }
  }

  /** As {@link #intern(String)}, from UTF-8; no string is made of ASCII that is known already. */
  public int intern(byte[] utf8, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int hash = 0;
    for (int i = offset; i < offset + length; i++) {
      byte b = utf8[i];
      if (b < 0) {
        return intern(new String(utf8, offset, length, StandardCharsets.UTF_8));
      }
      // The hash of String, which the strings in the table were found by.
      hash = 31 * hash + b;
    }
    hash = HashIndex.spread(hash);
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        return add(slot, hash, new String(utf8, offset, length, StandardCharsets.US_ASCII));
      }
      if (entry > 0 && equal(strings[entry], utf8, offset, length)) {
        return entry;
      }
    }
  }

  public String get(int entry) {
    if (entry >= index.size()) {
      throw new IndexOutOfBoundsException("string " + entry + " of " + index.size());
    }
    return strings[entry];
  }

  /** The number of entries, the empty string included. */
  public int size() {
    return index.size();
  }

  public void reset() {
    Arrays.fill(strings, 1, index.size(), null);
    index.reset();
  }

  private int add(int slot, int hash, String value) {
    if (!Utf8.isEncodable(value)) {
      // What would be written is another string, and that may stand in the table already.
      return intern(new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8));
    }
    int entry = index.insert(slot, hash);
    if (entry == strings.length) {
      strings = Arrays.copyOf(strings, entry * 2);
    }
    strings[entry] = value;
    return entry;
  }

  private static boolean equal(String string, byte[] ascii, int offset, int length) {
    if (string.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (string.charAt(i) != ascii[offset + i]) {
        return false;
      }
    }
    return true;
  }
}
