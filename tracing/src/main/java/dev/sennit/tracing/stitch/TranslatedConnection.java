/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the other side of a server's half behind address translation. A connection that is kept
 * alive is the same all the time, whatever it is called: with every exchange there is more evidence
 * which one it is. Until that is certain, and for those that have one exchange only, the likeliest
 * of all halves is taken if no other comes near it.
 */
final class TranslatedConnection {
  private static final double FITS = 1.5;
  private static final double FITS_WELL = 2;
  private static final double FITS_BADLY = -3;

  /** The client's half was lost. */
  private static final double NOTHING_THERE = -2;

  /** Something else happened on that connection at the time. */
  private static final double BUSY_OTHERWISE = -6;

  /** Seldom have two connections one end of a client in common, and often that of a server. */
  private static final double SAME_CLIENT_END = 6;

  private static final double SAME_SERVER_END = 2;

  private static final double ENOUGH_EVIDENCE = 8;
  private static final double MORE_THAN_OTHERS = 6;
  private static final double FORGOTTEN_BELOW = -6;
  private static final int MOST_EVIDENCE = 512;
  private static final int MOST_MISSES = 6;

  /** After so many, the other side is most probably not observed, and is looked for less often. */
  private static final int MANY_FAILURES = 32;

  private static final int BETWEEN_TRIALS = 8;

  /** Longer than this, a half is around so many others that it says nothing about clocks. */
  private static final double NARROW = 1;

  private static final double LEAST_SCORE = 0;

  private final Translations translations;
  private final double margin;
  private final boolean sameClientEnd;

  TranslatedConnection(Translations translations, double margin, boolean sameClientEnd) {
    this.translations = translations;
    this.margin = margin;
    this.sameClientEnd = sameClientEnd;
  }

  Verdict decide(Half server) {
    Connection own = server.connection;
    if (own.partner == null) {
      if (own.failures > MANY_FAILURES && ++own.failures % BETWEEN_TRIALS != 0) {
        return Verdict.ORPHANED;
      }
      List<Half> around = new ArrayList<>();
      translations.around(
          server,
          client -> {
            if (isFree(client)
                && isComparable(client.connection.key, own.key)
                && score(client, server) != Resemblance.NONE) {
              around.add(client);
            }
          });
      learn(server, around);
      findPartner(own);
      if (own.partner == null) {
        Verdict verdict = likeliest(server, around);
        own.failures = verdict.client() == null ? own.failures + 1 : 0;
        return verdict;
      }
    }
    Connection partner = own.partner;
    Verdict verdict = SameConnection.decide(server, partner.clients, margin);
    own.misses = verdict.equals(Verdict.ORPHANED) ? own.misses + 1 : 0;
    if (own.misses > MOST_MISSES) {
      own.partner = null;
      own.misses = 0;
      partner.partner = null;
    }
    return verdict;
  }

  private boolean isComparable(Connection.Key client, Connection.Key server) {
    return !sameClientEnd || (client.client() != null && client.client().equals(server.client()));
  }

  private static boolean isFree(Half client) {
    Connection connection = client.connection;
    return client.state == Half.State.OPEN && !connection.hasBothSides() && isFree(connection);
  }

  /** What is called the same for the second time has another partner now. */
  private static boolean isFree(Connection client) {
    return client.partner == null || client.partner.servers.size() == 0;
  }

  private static void learn(Half server, List<Half> around) {
    Map<Connection, Double> evidence = server.connection.evidence;
    Set<Connection> fitting = new HashSet<>();
    for (Half client : around) {
      OffsetVotes votes = client.host.votes(server.host);
      double times = Resemblance.timesOnTheWay(client, server, votes);
      if (votes.offset().known()) {
        if (fitting.add(client.connection) && evidence.size() < MOST_EVIDENCE) {
          evidence.merge(
              client.connection,
              FITS
                  + Math.max(FITS_BADLY, FITS_WELL - times)
                  + inCommon(client.connection.key, server.connection.key),
              Double::sum);
        }
      } else if (times <= NARROW) {
        votes.vote(client, server);
      }
    }
    Iterator<Map.Entry<Connection, Double>> entries = evidence.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<Connection, Double> entry = entries.next();
      Connection candidate = entry.getKey();
      if (!fitting.contains(candidate)) {
        entry.setValue(
            entry.getValue() + (isBusy(candidate, server) ? BUSY_OTHERWISE : NOTHING_THERE));
      }
      if (entry.getValue() <= FORGOTTEN_BELOW || !isFree(candidate)) {
        entries.remove();
      }
    }
  }

  private static boolean isBusy(Connection candidate, Half server) {
    ClockOffset offset = candidate.host.votes(server.host).offset();
    Timeline clients = candidate.clients;
    int i = clients.countUntil(server.end - offset.most()) - 1;
    return i >= 0 && offset.overlaps(clients.get(i), server);
  }

  private static void findPartner(Connection own) {
    Connection best = null;
    double most = FORGOTTEN_BELOW;
    double second = FORGOTTEN_BELOW;
    for (Map.Entry<Connection, Double> entry : own.evidence.entrySet()) {
      double sum = entry.getValue();
      if (sum > most) {
        second = most;
        most = sum;
        best = entry.getKey();
      } else {
        second = Math.max(second, sum);
      }
    }
    if (best != null && most >= ENOUGH_EVIDENCE && most - second >= MORE_THAN_OTHERS) {
      own.partner = best;
      best.partner = own;
      own.evidence.clear();
    }
  }

  private Verdict likeliest(Half server, List<Half> around) {
    Half best = null;
    double most = Resemblance.NONE;
    double second = Resemblance.NONE;
    for (Half client : around) {
      double score = score(client, server);
      if (score > most) {
        second = most;
        most = score;
        best = client;
      } else {
        second = Math.max(second, score);
      }
    }
    if (best == null) {
      return Verdict.ORPHANED;
    }
    return most >= LEAST_SCORE && most - second >= margin && !isWanted(best, server, most - margin)
        ? Verdict.joined(best)
        : Verdict.AMBIGUOUS;
  }

  /** Whether another server's half has nearly as good a claim. */
  private boolean isWanted(Half client, Half except, double score) {
    boolean[] wanted = new boolean[1];
    translations.inside(
        client,
        server ->
            wanted[0] |=
                !server.equals(except)
                    && server.state != Half.State.JOINED
                    && !server.connection.hasBothSides()
                    && server.connection.partner == null
                    && score(client, server) > score);
    return wanted[0];
  }

  private static double score(Half client, Half server) {
    double score = Resemblance.of(client, server, client.host.votes(server.host));
    return score == Resemblance.NONE
        ? score
        : score + inCommon(client.connection.key, server.connection.key);
  }

  private static double inCommon(Connection.Key client, Connection.Key server) {
    if (client.client() != null && client.client().equals(server.client())) {
      return SAME_CLIENT_END;
    }
    return client.server() != null && client.server().equals(server.server()) ? SAME_SERVER_END : 0;
  }
}
