/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.context.process;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The syntax of {@code OTEL_RESOURCE_ATTRIBUTES}: {@code key=value} pairs with commas between, both
 * percent-encoded. The last of several equal keys counts.
 */
public final class ResourceAttributes {
  private ResourceAttributes() {}

  /**
   * Parses the variable into a map that the caller may change.
   *
   * @throws IllegalArgumentException that names the pair by its number and what is wrong with it,
   *     but no values, which may not be meant for a log
   */
  public static Map<String, String> parse(String variable) {
    Map<String, String> attributes = new LinkedHashMap<>();
    int number = 0;
    for (String pair : variable.split(",", -1)) {
      number++;
      if (pair.isBlank()) {
        continue;
      }
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("pair " + number + " has no '='");
      }
      String key = decode(pair.substring(0, equals).strip(), number);
      if (key.isEmpty()) {
        throw new IllegalArgumentException("pair " + number + " has no key");
      }
      attributes.put(key, decode(pair.substring(equals + 1).strip(), number));
    }
    return attributes;
  }

  private static String decode(String encoded, int number) {
    if (encoded.indexOf('%') < 0) {
      return encoded;
    }
    byte[] source = encoded.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(source.length);
    for (int i = 0; i < source.length; i++) {
      if (source[i] != '%') {
        decoded.write(source[i]);
        continue;
      }
      int high = i + 2 < source.length ? Character.digit(source[i + 1], 16) : -1;
      int low = i + 2 < source.length ? Character.digit(source[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new IllegalArgumentException(
            "pair " + number + " has a '%' that two hexadecimal digits do not follow");
      }
      decoded.write(high << 4 | low);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(decoded.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("pair " + number + " is not UTF-8 once decoded", e);
    }
  }
}
