/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import dev.sennit.tracing.traffic.Inflow;

/**
 * Whether it is known where in the requests of a client one is; {@link Footing} is that for the
 * answers. Once the place is lost, each call may begin with a request. Where that happens a few
 * times before anything was understood, the connection speaks something else.
 */
public final class Bearings {
  private static final int MOST_MISTAKES = 4;

  private final Channel channel;
  private final Inflow requests;
  private boolean adrift;
  private boolean understood;
  private int mistakes;

  public Bearings(Channel channel) {
    this.channel = channel;
    requests = channel.inflow(Side.REQUESTS);
    adrift = !channel.isWhole();
  }

  /** Whether it is not known yet that the next byte begins a request. */
  public boolean isAdrift() {
    return adrift;
  }

  /** A request is where it should be. */
  public void find() {
    adrift = false;
    understood = true;
  }

  /** Something of either side could only be understood if the protocol is the right one. */
  public void understand() {
    understood = true;
  }

  /**
   * The next bytes begin no request: passes over them.
   *
   * @return whether to go on
   */
  public boolean lose(Lost reason) {
    if (!adrift) {
      adrift = true;
      channel.lost(reason);
    }
    if (reason == Lost.GAP) {
      requests.resume();
      return true;
    }
    requests.skipRun();
    return mistake();
  }

  /**
   * Bytes of either side break the rules.
   *
   * @return whether to go on; if not, the channel knows that the protocol is another one
   */
  public boolean mistake() {
    if (understood || ++mistakes < MOST_MISTAKES) {
      return true;
    }
    channel.mistaken();
    return false;
  }
}
