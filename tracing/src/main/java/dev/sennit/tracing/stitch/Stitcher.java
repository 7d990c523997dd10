/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.span.SpanKind;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Joins SERVER spans that came without ids to the CLIENT spans that they answer, and renames what
 * hangs below them, so that what one request caused is one trace. Spans may come in any order;
 * every one goes out exactly once, at once where nothing can change it.
 *
 * <p>It has no clock and starts no thread: its caller says what time it is, by {@link #advance}.
 * Not for use by several threads at the same time.
 */
public final class Stitcher {
  /** What a trace is waiting for. */
  private record Due(long time, long number, Trace trace, boolean rooted) {
    static final Comparator<Due> FIRST =
        Comparator.comparingLong(Due::time).thenComparingLong(Due::number);
  }

  private final long window;
  private final long patience;
  private final long memory;
  private final int mostDues;
  private final Traces traces;
  private final Connections connections;
  private final SameConnection sameConnection;
  private final TranslatedConnection translatedConnection;
  private final PriorityQueue<Due> dues = new PriorityQueue<>(Due.FIRST);
  private long numbers;
  private long injected;
  private long adopted;
  private long stitched;
  private long orphaned;
  private long ambiguous;

  public Stitcher(StitcherSettings settings) {
    window = settings.window().toNanos();
    patience = settings.patience().toNanos();
    memory = 2 * window + settings.skew().toNanos();
    mostDues = 4 * settings.heldSpans();
    traces = new Traces(settings.heldSpans(), settings.rememberedTraces());
    Translations translations = new Translations(settings.skew().toNanos());
    connections = new Connections(settings, translations);
    sameConnection = new SameConnection();
    translatedConnection = new TranslatedConnection(translations, sameConnection);
  }

  /** Takes a span; what need not be held any longer goes out. */
  public void add(Span span, Consumer<Span> out) {
    boolean server = span.kind() == SpanKind.SERVER;
    boolean root = server && span.link() == Link.NONE && span.ids().parentId() == 0;
    if (server) {
      injected += span.link() == Link.INJECTED ? 1 : 0;
      adopted += span.link() == Link.ADOPTED ? 1 : 0;
    } else if (span.link() == Link.NONE) {
      connections.add(span);
    }
    Trace trace = traces.add(span, out);
    if (trace == null) {
      orphaned += root ? 1 : 0;
    } else if (root && trace.root == null) {
      trace.root = connections.add(span);
      decideAt(trace, span.end() + window, true);
    } else if (trace.root == null && trace.held.size() == 1) {
      decideAt(trace, span.end() + patience, false);
    }
  }

  /** Traces that were decided otherwise are few, but if time stands still they would add up. */
  private void decideAt(Trace trace, long time, boolean rooted) {
    if (dues.size() > mostDues) {
      dues.removeIf(due -> !traces.isUndecided(due.trace));
    }
    dues.add(new Due(time, numbers++, trace, rooted));
  }

  /** It has become this time, in nanoseconds since 1970; what has waited long enough goes out. */
  public void advance(long now, Consumer<Span> out) {
    for (Due due = dues.peek(); due != null && due.time <= now; due = dues.peek()) {
      dues.remove();
      Half root = due.trace.root;
      if (due.rooted ? root != null && root.state == Half.State.OPEN : root == null) {
        decide(due.trace, out);
      }
    }
    connections.forgetUntil(now - memory);
  }

  /** Decides everything, as if all time had passed. */
  public void flush(Consumer<Span> out) {
    advance(Long.MAX_VALUE, out);
    traces.flush(out);
  }

  private void decide(Trace trace, Consumer<Span> out) {
    if (!traces.isUndecided(trace)) {
      return;
    }
    Half server = trace.root;
    if (server == null) {
      traces.settle(trace, out);
      return;
    }
    Verdict verdict =
        server.connection.hasBothSides()
            ? sameConnection.decide(server, server.connection.clients)
            : translatedConnection.decide(server);
    Half client = verdict.client();
    if (client != null && traces.join(trace, client.ids, out)) {
      client.state = Half.State.JOINED;
      server.state = Half.State.JOINED;
      client.host.votes(server.host).joined(client, server);
      stitched++;
      return;
    }
    server.state = Half.State.LEFT;
    if (client != null || verdict.ambiguous()) {
      ambiguous++;
    } else {
      orphaned++;
    }
    traces.settle(trace, out);
  }

  /** How many spans are held. */
  public int held() {
    return traces.held();
  }

  public StitcherCounts counts() {
    return new StitcherCounts(
        injected, adopted, stitched, orphaned, ambiguous, traces.evicted(), traces.late());
  }
}
