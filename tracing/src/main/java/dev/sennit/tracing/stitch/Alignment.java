/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.util.List;

/**
 * Aligns the two sides of a connection, from which spans may be missing. Requests arrive in the
 * order in which they were sent, so that pairs never cross; of all such alignments the likeliest is
 * taken, and of each pair it is known by how much it is likelier than any without it.
 */
final class Alignment {
  private final List<Half> clients;

  /** {@code before[i][j]}: the best for the first i clients and the first j servers. */
  private final double[][] before;

  /** {@code behind[i][j]}: the best for all but these. */
  private final double[][] behind;

  private final double[][] scores;

  /**
   * @param clients in the order in which they began
   * @param servers likewise
   * @param scores of each client with each server, {@code NONE} where they cannot be a pair
   */
  Alignment(List<Half> clients, List<Half> servers, double[][] scores) {
    this.clients = clients;
    this.scores = scores;
    int rows = clients.size();
    int columns = servers.size();
    before = new double[rows + 1][columns + 1];
    behind = new double[rows + 1][columns + 1];
    for (int i = 1; i <= rows; i++) {
      for (int j = 1; j <= columns; j++) {
        before[i][j] =
            Math.max(
                Math.max(before[i - 1][j], before[i][j - 1]),
                before[i - 1][j - 1] + scores[i - 1][j - 1]);
      }
    }
    for (int i = rows - 1; i >= 0; i--) {
      for (int j = columns - 1; j >= 0; j--) {
        behind[i][j] =
            Math.max(
                Math.max(behind[i + 1][j], behind[i][j + 1]), behind[i + 1][j + 1] + scores[i][j]);
      }
    }
  }

  /** The other side of a server's half, if all without this pair fall short by the margin. */
  Verdict of(int server, double margin) {
    double best = Resemblance.NONE;
    double second = alone(server);
    int chosen = -1;
    for (int i = 0; i < clients.size(); i++) {
      double total = before[i][server] + scores[i][server] + behind[i + 1][server + 1];
      if (total > best) {
        second = Math.max(second, best);
        best = total;
        chosen = i;
      } else {
        second = Math.max(second, total);
      }
    }
    return chosen < 0 || best - second < margin
        ? Verdict.AMBIGUOUS
        : Verdict.joined(clients.get(chosen));
  }

  /** The best in which this server has no other side. */
  private double alone(int server) {
    double best = Resemblance.NONE;
    for (int i = 0; i <= clients.size(); i++) {
      best = Math.max(best, before[i][server] + behind[i][server + 1]);
    }
    return best;
  }
}
