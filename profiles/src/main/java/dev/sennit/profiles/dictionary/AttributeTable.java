/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles.dictionary;

import dev.sennit.otlp.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The attributes of a dictionary, each with its unit; 0 is none. Keys and units are in the {@link
 * StringTable}; string values are kept as they are, because readers exist that do not know {@code
 * string_value_strindex}. Not safe for use by several threads.
 */
public final class AttributeTable {
  /** The kinds of value that an attribute can have. */
  public enum Kind {
    NONE,
    STRING,
    INT,
    BOOL,
    DOUBLE
  }

  private final HashIndex index = new HashIndex();
  private int[] keys = new int[32];
  private int[] units = new int[32];
  private Kind[] kinds = new Kind[32];
  private long[] numbers = new long[32];
  private String[] strings = new String[32];

  public AttributeTable() {
    kinds[0] = Kind.NONE;
    strings[0] = "";
  }

  public int internString(int keyIndex, String value, int unitIndex) {
    String text =
        Utf8.isEncodable(value)
            ? value
            : new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    return intern(keyIndex, Kind.STRING, text.hashCode(), text, unitIndex);
  }

  public int internInt(int keyIndex, long value, int unitIndex) {
    return intern(keyIndex, Kind.INT, value, "", unitIndex);
  }

  public int internBool(int keyIndex, boolean value, int unitIndex) {
    return intern(keyIndex, Kind.BOOL, value ? 1 : 0, "", unitIndex);
  }

  public int internDouble(int keyIndex, double value, int unitIndex) {
    return intern(keyIndex, Kind.DOUBLE, Double.doubleToLongBits(value), "", unitIndex);
  }

  public int key(int entry) {
    return keys[entry];
  }

  public int unit(int entry) {
    return units[entry];
  }

  /** Which of the values is there; {@link Kind#NONE} at index 0 alone. */
  public Kind kind(int entry) {
    return kinds[entry];
  }

  public String stringValue(int entry) {
    return strings[entry];
  }

  public long intValue(int entry) {
    return numbers[entry];
  }

  public boolean boolValue(int entry) {
    return numbers[entry] != 0;
  }

  public double doubleValue(int entry) {
    return Double.longBitsToDouble(numbers[entry]);
  }

  public int size() {
    return index.size();
  }

  public void reset() {
    Arrays.fill(strings, 1, index.size(), "");
    index.reset();
  }

  private int intern(int keyIndex, Kind kind, long number, String string, int unitIndex) {
    if (keyIndex == 0) {
      throw new IllegalArgumentException(
          "an attribute without a key: " + kind + " " + (kind == Kind.STRING ? string : number));
    }
    long mixed = HashIndex.mix(HashIndex.mix(keyIndex, unitIndex), number);
    int hash = HashIndex.spread(mixed);
    for (int slot = index.first(hash); ; slot = index.next(slot)) {
      int entry = index.entryAt(slot, hash);
      if (entry == 0) {
        entry = index.insert(slot, hash);
        reserve(entry);
        keys[entry] = keyIndex;
        units[entry] = unitIndex;
        kinds[entry] = kind;
        numbers[entry] = number;
        strings[entry] = string;
        return entry;
      }
      if (entry > 0
          && keys[entry] == keyIndex
          && units[entry] == unitIndex
          && kinds[entry] == kind
          && numbers[entry] == number
          && strings[entry].equals(string)) {
        return entry;
      }
    }
  }

  private void reserve(int entry) {
    if (entry == keys.length) {
      keys = Arrays.copyOf(keys, entry * 2);
      units = Arrays.copyOf(units, entry * 2);
      kinds = Arrays.copyOf(kinds, entry * 2);
      numbers = Arrays.copyOf(numbers, entry * 2);
      strings = Arrays.copyOf(strings, entry * 2);
    }
  }
}
