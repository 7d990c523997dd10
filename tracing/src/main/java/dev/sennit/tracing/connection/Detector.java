/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.connection;

import dev.sennit.tracing.protocol.Likeness;
import dev.sennit.tracing.protocol.Protocol;
import dev.sennit.tracing.protocol.Side;
import dev.sennit.tracing.traffic.Inflow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out which protocol a connection speaks, and who asks whom, by its bytes. */
final class Detector {
  /**
   * What was found.
   *
   * @param server whether the observed process serves
   * @param clear whether the bytes alone say so; if not, an answer must bear it out
   */
  record Found(Protocol protocol, boolean server, boolean clear) {}

  private final List<Protocol> protocols;
  private boolean undecided;

  Detector(List<Protocol> protocols) {
    this.protocols = new ArrayList<>(protocols);
  }

  /** It is not this one. */
  void exclude(Protocol protocol) {
    protocols.remove(protocol);
  }

  /**
   * @param read what the process read
   * @param written what it wrote
   * @param serves whether it serves; null if that is not known
   * @param serverPort 0 if it is not known
   */
  @Nullable Found find(Inflow read, Inflow written, @Nullable Boolean serves, int serverPort) {
    undecided = false;
    Found likely = null;
    int candidates = 0;
    for (Protocol protocol : protocols) {
      for (boolean server : new boolean[] {true, false}) {
        if (serves != null && serves != server) {
          continue;
        }
        Likeness likeness =
            both(
                judge(protocol, Side.REQUESTS, server ? read : written),
                judge(protocol, Side.RESPONSES, server ? written : read));
        switch (likeness) {
          case CLEAR -> {
            return new Found(protocol, server, true);
          }
          case PERHAPS -> {
            candidates++;
            boolean usual = serverPort != 0 && serverPort == protocol.usualPort();
            if (likely == null || usual) {
              likely = new Found(protocol, server, false);
            }
            if (usual) {
              return likely;
            }
          }
          case TOO_FEW -> undecided = true;
          case NO -> {}
        }
      }
    }
    if (candidates == 1 && !undecided) {
      return likely;
    }
    undecided |= candidates > 1;
    return null;
  }

  /** Whether more bytes may tell, after nothing was found. */
  boolean isUndecided() {
    return undecided;
  }

  private static Likeness judge(Protocol protocol, Side side, Inflow bytes) {
    return bytes.size() == 0 ? Likeness.TOO_FEW : protocol.judge(side, bytes);
  }

  private static Likeness both(Likeness requests, Likeness responses) {
    if (requests == Likeness.NO || responses == Likeness.NO) {
      return Likeness.NO;
    }
    return requests.compareTo(responses) > 0 ? requests : responses;
  }
}
