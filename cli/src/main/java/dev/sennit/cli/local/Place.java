/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli.local;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where to listen.
 *
 * @param insisted whether it must be there; otherwise, if it is taken, any free port will do
 */
public record Place(InetSocketAddress address, boolean insisted) {
  /** On this host, there if possible. */
  public static Place preferably(int port) {
    return new Place(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), false);
  }

  /** Any free port at the same address. */
  Place anyPort() {
    return new Place(new InetSocketAddress(address.getAddress(), 0), true);
  }
}
