/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http;

/**
 * What a path may look like in the code that serves it: parts that look like values become
 * placeholders. It is a guess, for a path does not say which of its parts are fixed.
 */
final class RouteGuess {
  private static final int MOST_PARTS = 8;
  private static final int LONGEST_WORD = 32;
  private static final int UUID_LENGTH = 36;
  private static final int SHORTEST_HEX = 8;

  private RouteGuess() {}

  static String of(String path) {
    if (!path.startsWith("/")) {
      return path.equals("*") ? path : "/";
    }
    StringBuilder route = new StringBuilder();
    String[] parts = path.substring(1).split("/", -1);
    for (int i = 0; i < parts.length; i++) {
      if (i == MOST_PARTS) {
        return route.append("/*").toString();
      }
      route.append('/').append(part(parts[i]));
    }
    return route.toString();
  }

  private static String part(String part) {
    int digits = 0;
    int hex = 0;
    int strange = 0;
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      boolean digit = c >= '0' && c <= '9';
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      digits += digit ? 1 : 0;
      hex += digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ? 1 : 0;
      strange += digit || letter || c == '-' || c == '_' || c == '.' ? 0 : 1;
    }
    if (part.isEmpty()) {
      return "";
    }
    if (digits == part.length()) {
      return "{id}";
    }
    if (part.length() == UUID_LENGTH && hex == UUID_LENGTH - 4 && part.charAt(8) == '-') {
      return "{uuid}";
    }
    if (hex == part.length() && digits > 0 && hex >= SHORTEST_HEX) {
      return "{hex}";
    }
    // Names of versions and files have a digit or two; keys and tokens have more of them.
    boolean manyDigits = digits >= 4 && digits * 3 >= part.length();
    return strange > 0 || manyDigits || part.length() > LONGEST_WORD ? "{value}" : part;
  }
}
