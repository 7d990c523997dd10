/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.viewer.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Where the page is served, and to whom.
 *
 * @param token asked of everybody; must be there unless the address is of the loopback interface
 */
public record WebSettings(InetSocketAddress address, Optional<AccessToken> token) {
  public WebSettings {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("unknown host: " + address.getHostString());
    }
    if (!address.getAddress().isLoopbackAddress() && token.isEmpty()) {
      throw new IllegalArgumentException(
          "the page needs a token on " + address.getHostString() + ", which others can reach");
    }
  }

  /** For people at this host, who need no token. */
  public static WebSettings onLoopback(int port) {
    return new WebSettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Optional.empty());
  }

  /** For any address, with a fresh token where others can reach it. */
  public static WebSettings on(InetSocketAddress address) {
    boolean others = !address.isUnresolved() && !address.getAddress().isLoopbackAddress();
    return new WebSettings(address, others ? Optional.of(AccessToken.random()) : Optional.empty());
  }
}
