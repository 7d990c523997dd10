/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol.http;

import org.jspecify.annotations.Nullable;

/**
 * A host and its port, as {@code Host} and {@code :authority} have them.
 *
 * @param host a name or an address, an IPv6 address without its brackets
 * @param port -1 where none is said
 */
record Authority(String host, int port) {
  private static final int LONGEST = 255;

  /** Null for what is no host. */
  static @Nullable Authority parse(String text) {
    String all = text.substring(text.lastIndexOf('@') + 1);
    int bracket = all.startsWith("[") ? all.indexOf(']') : -1;
    int colon = all.indexOf(':', bracket + 1);
    String host =
        bracket > 0 ? all.substring(1, bracket) : colon < 0 ? all : all.substring(0, colon);
    if (host.isEmpty() || host.length() > LONGEST || !isHost(host)) {
      return null;
    }
    if (colon < 0 || colon == all.length() - 1) {
      return new Authority(host, -1);
    }
    int port = port(all, colon + 1);
    return port < 0 ? null : new Authority(host, port);
  }

  private static int port(String text, int from) {
    int port = 0;
    for (int i = from; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || i - from > 4) {
        return -1;
      }
      port = port * 10 + digit;
    }
    return port > 0xffff ? -1 : port;
  }

  private static boolean isHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c <= ' ' || c == 0x7f || "/?#@\\\"<>{}|^`".indexOf(c) >= 0) {
        return false;
      }
    }
    return true;
  }
}
