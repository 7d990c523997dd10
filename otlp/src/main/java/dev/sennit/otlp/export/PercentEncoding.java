/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.otlp.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** RFC 3986, section 2.1; unlike {@link java.net.URLDecoder}, a plus is a plus. */
final class PercentEncoding {
  private PercentEncoding() {}

  /**
   * @throws IllegalArgumentException if two hexadecimal digits do not follow a percent sign
   */
  static String decode(String value) {
    if (value.indexOf('%') < 0) {
      return value;
    }
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    int i = 0;
    while (i < bytes.length) {
      if (bytes[i] != '%') {
        decoded.write(bytes[i++]);
        continue;
      }
      int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
      int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw new IllegalArgumentException("no two hexadecimal digits follow a %");
      }
      decoded.write(high << 4 | low);
      i += 3;
    }
    return decoded.toString(StandardCharsets.UTF_8);
  }
}
