/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import org.jspecify.annotations.Nullable;

/** A dictionary as the rules see it, be it in memory or encoded. */
interface DictionaryView {
  /** The number of entries, those at index 0 included. */
  int size(Table table) throws MalformedProfileException;

  /** Shows the entries of one table, in their order. */
  void show(Table table, Visitor visitor) throws MalformedProfileException;

  /** Is shown the entries; the lists are valid until it returns. */
  interface Visitor {
    void string(int index, String value);

    /** The value is something that is equal for equal values; null if there is none. */
    void attribute(int index, int key, @Nullable String value, int unit);

    /** A string that is referred to from inside the value of an attribute. */
    void stringInAttribute(int index, int string);

    void mapping(int index, long start, long limit, long offset, int filename, IntList attributes);

    void function(int index, int name, int systemName, int filename, long startLine);

    void location(int index, LocationEntry location);

    void link(
        int index, int traceIdLength, int spanIdLength, long traceHigh, long traceLow, long span);

    void stack(int index, IntList locations);
  }

  /** A location with its lines, for use again and again. */
  final class LocationEntry {
    int mapping;
    long address;
    final IntList functions = new IntList();
    final LongList lines = new LongList();
    final LongList columns = new LongList();
    final IntList attributes = new IntList();

    void clear() {
      mapping = 0;
      address = 0;
      functions.clear();
      lines.clear();
      columns.clear();
      attributes.clear();
    }
  }
}
