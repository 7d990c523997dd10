/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

/**
 * How much speaks for two halves being one exchange, as the logarithm of odds: what is added up is
 * how much likelier each observation is of the two sides of one exchange than of two exchanges.
 */
final class Resemblance {
  /** They cannot be one exchange. */
  static final double NONE = Double.NEGATIVE_INFINITY;

  private static final double SAME_STATUS = 0.5;
  private static final double OTHER_STATUS = -6;
  private static final double SAME_SIZE = 1;

  /** Sizes are counted as far as they were seen, so that a difference proves little. */
  private static final double OTHER_SIZE = -2;

  private static final double SAME_TEXT = 2;
  private static final double OTHER_TEXT = -4;

  /** Beyond so many times the usual time on the way, it makes no difference how many. */
  private static final double LONGEST = 8;

  private Resemblance() {}

  static double of(Half client, Half server, OffsetVotes votes) {
    if (!votes.offset().allows(client, server)
        || !client.protocol.equals(server.protocol)
        || !client.content.agrees(server.content)) {
      return NONE;
    }
    return compare(client.content.status(), server.content.status(), SAME_STATUS, OTHER_STATUS)
        + compare(client.content.text(), server.content.text(), SAME_TEXT, OTHER_TEXT)
        + compare(client.requestBytes, server.requestBytes, SAME_SIZE, OTHER_SIZE)
        + compare(client.responseBytes, server.responseBytes, SAME_SIZE, OTHER_SIZE)
        - Math.min(LONGEST, timesOnTheWay(client, server, votes));
  }

  /** What one side does not know is 0, and says nothing. */
  private static double compare(long client, long server, double same, double other) {
    return client == 0 || server == 0 ? 0 : client == server ? same : other;
  }

  /** How many times the usual time the exchange would have been on the way. */
  static double timesOnTheWay(Half client, Half server, OffsetVotes votes) {
    return Math.max(0, client.duration() - server.duration()) / votes.onTheWay();
  }
}
