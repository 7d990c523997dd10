/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.correlation.parse;

import dev.sennit.otlp.AttributeValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Names that come again and again, of loggers, threads and fields, as strings that are made once. A
 * place is taken over by whoever needs it next, so it never grows.
 */
final class Names {
  private static final int PLACES = 512;
  private static final int LONGEST = 96;

  private final @Nullable Name[] places = new Name[PLACES];

  /**
   * A name.
   *
   * @param field what a field of this name means
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody but Names
  record Name(byte[] bytes, String text, AttributeValue value, Field field) {
    static Name of(byte[] bytes) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      return new Name(bytes, text, AttributeValue.of(text), Field.of(text));
    }
  }

  Name of(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length > LONGEST) {
      return Name.of(Arrays.copyOfRange(bytes, from, to));
    }
    int hash = length;
    for (int i = from; i < to; i++) {
      hash = hash * 31 + bytes[i];
    }
    int place = (hash ^ (hash >>> 15)) & (PLACES - 1);
    @Nullable Name known = places[place];
    if (known != null && Arrays.equals(known.bytes, 0, known.bytes.length, bytes, from, to)) {
      return known;
    }
    Name name = Name.of(Arrays.copyOfRange(bytes, from, to));
    places[place] = name;
    return name;
  }
}
