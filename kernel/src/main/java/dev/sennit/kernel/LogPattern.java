/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Files that are logs by their names.
 *
 * @param prefix what stands before the asterisk
 * @param suffix what stands behind it
 * @param whole whether there is none, so that both together are the name of one file
 */
public record LogPattern(String prefix, String suffix, boolean whole) {
  /** As many as the programs compare with. */
  public static final int MOST = 8;

  /** {@code PATTERN_PART} in maps.h. */
  private static final int PART = 64;

  public LogPattern {
    if (prefix.isEmpty() && suffix.isEmpty()) {
      throw new IllegalArgumentException("a pattern of nothing is every file");
    }
    check(prefix);
    check(suffix);
  }

  private static void check(String part) {
    int size = part.getBytes(UTF_8).length;
    if (size > PART) {
      throw new IllegalArgumentException(part + " has " + size + " bytes, of at most " + PART);
    }
  }

  /**
   * Reads a pattern such as {@code /srv/shop/*.out}.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static LogPattern of(String text) {
    int asterisk = text.indexOf('*');
    if (asterisk != text.lastIndexOf('*')) {
      throw new IllegalArgumentException(text + " has more than one asterisk");
    }
    if (!text.startsWith("/") && !text.startsWith("*")) {
      throw new IllegalArgumentException(text + " begins with neither / nor *");
    }
    return asterisk >= 0
        ? new LogPattern(text.substring(0, asterisk), text.substring(asterisk + 1), false)
        : split(text);
  }

  /** A name that is longer than a part stands in both. */
  private static LogPattern split(String name) {
    int middle = Math.min(PART, name.length());
    return new LogPattern(name.substring(0, middle), name.substring(middle), true);
  }

  /** As it was read. */
  @Override
  public String toString() {
    return whole ? prefix + suffix : prefix + "*" + suffix;
  }

  boolean matches(String path) {
    int least = prefix.length() + suffix.length();
    return (whole ? path.length() == least : path.length() >= least)
        && path.startsWith(prefix)
        && path.endsWith(suffix);
  }

  /** As {@code struct log_pattern} has it. */
  byte[] bytes() {
    byte[] first = prefix.getBytes(UTF_8);
    byte[] last = suffix.getBytes(UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(2 * Integer.BYTES + 2 * PART);
    bytes.order(ByteOrder.nativeOrder());
    bytes.putShort((short) first.length).putShort((short) (whole ? 1 : 0)).putInt(last.length);
    bytes.put(first).position(2 * Integer.BYTES + PART).put(last);
    return bytes.array();
  }
}
