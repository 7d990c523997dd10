/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as people and programs can use them. */
public final class Addresses {
  private Addresses() {}

  /** The address of a listener as a URL without a path. */
  public static String url(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    String name = host.getHostAddress();
    if (host.isLoopbackAddress()) {
      name = "localhost";
    } else if (host instanceof Inet6Address) {
      name = "[" + name + "]";
    }
    return "http://" + name + ":" + address.getPort();
  }
}
