/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.protocol;

import dev.sennit.tracing.exchange.Exchange;
import dev.sennit.tracing.traffic.Inflow;
import dev.sennit.tracing.traffic.Piece;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether it is known where in the answers of a server one is, in a protocol in which a client
 * usually waits for an answer before it asks again. Once the place is lost, the next request that
 * is sent after what has come is the place from where it is certain again.
 */
public final class Footing {
  private static final String CLOSED = "connection_closed";

  private final Channel channel;
  private final Inflow responses;
  private final Consumer<Piece> giveUp;
  private boolean lost;
  private @Nullable Piece doubt;

  /**
   * @param giveUp ends all that waits for an answer, which has ended with a piece at the latest
   */
  public Footing(Channel channel, Consumer<Piece> giveUp) {
    this.channel = channel;
    this.giveUp = giveUp;
    responses = channel.inflow(Side.RESPONSES);
    lost = !channel.isWhole();
  }

  public boolean isLost() {
    return lost;
  }

  /** What comes is not understood from here on. */
  public void lose(Lost reason) {
    lost = true;
    channel.lost(reason);
  }

  /** The next byte of the answers is understood. */
  public void find() {
    lost = false;
    doubt = null;
  }

  /**
   * The connection ends before an exchange has its answer. To a client that is a failure, unless
   * the answer may have been among what was not understood.
   */
  public void close(Exchange exchange) {
    if (!lost && !channel.isServer() && exchange.errorType() == null) {
      exchange.failed(CLOSED);
    }
  }

  /** A request begins. To be called before it counts as open. */
  public void asked(Piece by) {
    if (lost) {
      lost = false;
      if (responses.size() == 0 || responses.piece(0).time() < by.time()) {
        giveUp.accept(responses.last());
        responses.drop();
      }
    } else if (responses.isSkipping() && by != doubt) {
      if (doubt != null) {
        // Twice in the midst of something long: its rest is not coming.
        channel.lost(Lost.GAP);
        giveUp.accept(responses.last());
        responses.drop();
      }
      doubt = by;
    }
  }
}
