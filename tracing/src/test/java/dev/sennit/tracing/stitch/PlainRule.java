/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.SpanKind;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule that is usual, to be measured beside: a SERVER span belongs to the CLIENT span with the
 * same address and port of the server, the same method and path, that began nearest to it and
 * within a second. It may be taken more than once: otherwise one wrong join causes the next.
 */
public final class PlainRule {
  private static final long WINDOW = Duration.ofSeconds(1).toNanos();

  private record Key(@Nullable InetSocketAddress server, int method, int path) {
    static Key of(Span span) {
      Content content = Content.of(span.attributes());
      return new Key(span.ends().server(), content.operation(), content.target());
    }
  }

  private PlainRule() {}

  /** By the ids of SERVER spans, those of CLIENT spans. */
  public static Map<Long, Long> joins(Collection<Span> spans) {
    Map<Key, List<Span>> clients = new HashMap<>();
    List<Span> servers = new ArrayList<>();
    spans.stream()
        .sorted(Comparator.comparingLong(Span::start))
        .forEach(
            span -> {
              if (span.kind() == SpanKind.SERVER) {
                servers.add(span);
              } else {
                clients.computeIfAbsent(Key.of(span), key -> new ArrayList<>()).add(span);
              }
            });
    Map<Long, Long> joins = new HashMap<>();
    for (Span server : servers) {
      Span client = nearest(server, clients.getOrDefault(Key.of(server), new ArrayList<>()));
      if (client != null) {
        joins.put(server.ids().spanId(), client.ids().spanId());
      }
    }
    return joins;
  }

  /** The list is in order, and shrinks at its begin as time goes by. */
  private static @Nullable Span nearest(Span server, List<Span> clients) {
    int past = 0;
    while (past < clients.size() && clients.get(past).start() < server.start() - WINDOW) {
      past++;
    }
    clients.subList(0, past).clear();
    int nearest = -1;
    long least = WINDOW;
    for (int i = 0; i < clients.size(); i++) {
      long distance = Math.abs(clients.get(i).start() - server.start());
      if (distance <= least) {
        least = distance;
        nearest = i;
      } else if (clients.get(i).start() > server.start()) {
        break;
      }
    }
    return nearest < 0 ? null : clients.get(nearest);
  }
}
