/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.http;

import java.net.InetAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which names a request may use for a listener. A page in somebody's browser can make its own name
 * point to this machine (DNS rebinding), but then the browser still says that name.
 */
public final class Hosts {
  private final boolean loopback;

  private Hosts(boolean loopback) {
    this.loopback = loopback;
  }

  public static Hosts of(InetAddress listening) {
    return new Hosts(listening.isLoopbackAddress());
  }

  /**
   * Whether a request that says this may be answered. Off the loopback interface there are names
   * that nobody here knows, and other ways to tell who asks.
   *
   * @param authority the host, and perhaps the port, as the request has them
   */
  public boolean admit(@Nullable String authority) {
    if (!loopback) {
      return true;
    }
    if (authority == null) {
      return false;
    }
    String host = host(authority).toLowerCase(Locale.ROOT);
    return host.equals("localhost")
        || host.endsWith(".localhost")
        || host.equals("[::1]")
        || host.matches("127(\\.\\d{1,3}){3}");
  }

  private static String host(String authority) {
    int end = authority.indexOf(']');
    if (end >= 0) {
      return authority.substring(0, end + 1);
    }
    int colon = authority.indexOf(':');
    return colon < 0 ? authority : authority.substring(0, colon);
  }
}
