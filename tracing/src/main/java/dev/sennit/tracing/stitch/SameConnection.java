/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Finds the other side of a server's half on a connection that both sides are known to use. As long
 * as requests follow each other there is one at most that it lies inside of; where they overlap,
 * their order decides.
 */
final class SameConnection {
  /** That both sides of an exchange were seen is so much likelier than that both were lost. */
  private static final double PAIR = 5;

  /** So many halves of a side are looked at, at most. */
  private static final int FARTHEST = 256;

  /** Of more than this that overlap each other none is certain enough to be worth the time. */
  private static final int MOST_ALIGNED = 128;

  private static final Comparator<Half> IN_ORDER =
      Comparator.<Half>comparingLong(half -> half.start)
          .thenComparingLong(half -> half.end)
          .thenComparingLong(half -> half.ids.spanId());

  private SameConnection() {}

  /**
   * @param clients of the connection as the clients see it
   */
  static Verdict decide(Half server, Timeline clients, double margin) {
    List<Half> candidates = clientsAround(server, clients);
    if (candidates.isEmpty()) {
      return Verdict.ORPHANED;
    }
    if (candidates.size() == 1 && serversInside(candidates.getFirst(), server).size() <= 1) {
      return Verdict.joined(candidates.getFirst());
    }
    return align(server, clients, margin);
  }

  /** Those that a server's half can be inside of. */
  private static List<Half> clientsAround(Half server, Timeline clients) {
    List<Half> found = new ArrayList<>(2);
    if (clients.size() == 0) {
      return found;
    }
    OffsetVotes votes = clients.get(0).host.votes(server.host);
    ClockOffset offset = votes.offset();
    int i = clients.countUntil(server.start - offset.least() + ClockOffset.TOLERANCE) - 1;
    long earliest = server.end - offset.most() - ClockOffset.TOLERANCE - clients.longest();
    int stop = Math.max(0, i - FARTHEST);
    for (; i >= stop && clients.start(i) >= earliest; i--) {
      Half client = clients.get(i);
      if (client.state == Half.State.OPEN
          && Resemblance.of(client, server, votes) != Resemblance.NONE) {
        found.add(client);
      }
    }
    return found;
  }

  /** Those on the connection of this one that can be inside of a client's half. */
  private static List<Half> serversInside(Half client, Half sample) {
    List<Half> found = new ArrayList<>(2);
    OffsetVotes votes = client.host.votes(sample.host);
    ClockOffset offset = votes.offset();
    Timeline servers = sample.connection.servers;
    int i = servers.countUntil(client.start + offset.least() - ClockOffset.TOLERANCE - 1);
    long latest = client.end + offset.most() + ClockOffset.TOLERANCE;
    int stop = Math.min(servers.size(), i + FARTHEST);
    for (; i < stop && servers.start(i) <= latest; i++) {
      Half server = servers.get(i);
      if (server.state != Half.State.JOINED
          && Resemblance.of(client, server, votes) != Resemblance.NONE) {
        found.add(server);
      }
    }
    return found;
  }

  private static Verdict align(Half server, Timeline clients, double margin) {
    TreeSet<Half> ours = new TreeSet<>(IN_ORDER);
    TreeSet<Half> theirs = new TreeSet<>(IN_ORDER);
    ours.add(server);
    List<Half> newServers = List.of(server);
    while (!newServers.isEmpty()) {
      List<Half> found = new ArrayList<>();
      for (Half newServer : newServers) {
        for (Half client : clientsAround(newServer, clients)) {
          if (theirs.add(client)) {
            found.addAll(serversInside(client, server));
          }
        }
        if (ours.size() + theirs.size() > MOST_ALIGNED) {
          return Verdict.AMBIGUOUS;
        }
      }
      found.removeIf(half -> !ours.add(half));
      newServers = found;
    }
    List<Half> rows = List.copyOf(theirs);
    List<Half> columns = List.copyOf(ours);
    return new Alignment(rows, columns, scores(rows, columns)).of(columns.indexOf(server), margin);
  }

  private static double[][] scores(List<Half> clients, List<Half> servers) {
    OffsetVotes votes = clients.getFirst().host.votes(servers.getFirst().host);
    double[][] scores = new double[clients.size()][servers.size()];
    for (int i = 0; i < clients.size(); i++) {
      for (int j = 0; j < servers.size(); j++) {
        scores[i][j] = PAIR + Resemblance.of(clients.get(i), servers.get(j), votes);
      }
    }
    return scores;
  }
}
