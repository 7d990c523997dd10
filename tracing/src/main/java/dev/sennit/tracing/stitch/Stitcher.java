/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.tracing.stitch;

import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.span.Span.Link;
import dev.sennit.tracing.span.SpanKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
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
  /** When the name of a trace is decided. */
  private record Due(long time, long number, Trace trace) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int order = Long.compare(time, other.time);
      return order != 0 ? order : Long.compare(number, other.number);
    }
  }

  private final long window;
  private final long patience;
  private final long memory;
  private final double margin;
  private final int mostDues;
  private final Traces traces;
  private final Connections connections;
  private final TranslatedConnection translatedConnection;

  /** Traces whose root waits for its other side. */
  private final PriorityQueue<Due> rooted = new PriorityQueue<>();

  /** Traces that wait for their root, in the order in which they came. */
  private final Deque<Due> rootless = new ArrayDeque<>();

  private long now = Long.MIN_VALUE;
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
    margin = settings.margin();
    mostDues = 2 * settings.heldSpans();
    traces = new Traces(settings.heldSpans(), settings.rememberedTraces());
    Translations translations = new Translations(settings.skew().toNanos());
    connections = new Connections(settings, translations);
    translatedConnection =
        new TranslatedConnection(translations, settings.margin(), settings.sameClientEnd());
  }

  /** Tells what traces are called, from now on. */
  public void tell(NameListener listener) {
    traces.tell(listener);
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
    if (now == Long.MIN_VALUE) {
      now = span.end();
    }
    Trace trace = traces.add(span, out);
    if (trace == null) {
      orphaned += root ? 1 : 0;
    } else if (root && trace.root == null) {
      trace.root = connections.add(span);
      decideAt(span.end() + window, trace, rooted);
    } else if (trace.root == null && trace.held.size() == 1) {
      decideAt(now + patience, trace, rootless);
    }
  }

  /** Traces that were decided otherwise are few, but if time stood still they would add up. */
  private void decideAt(long time, Trace trace, Queue<Due> dues) {
    if (dues.size() > mostDues) {
      dues.removeIf(due -> !due.trace.isUndecided());
    }
    dues.add(new Due(time, numbers++, trace));
  }

  /** It has become this time, in nanoseconds since 1970; what has waited long enough goes out. */
  public void advance(long time, Consumer<Span> out) {
    now = Math.max(now, time);
    for (Due due = rooted.peek(); due != null && due.time <= now; due = rooted.peek()) {
      rooted.remove();
      Half root = due.trace.root;
      if (root != null && due.trace.isUndecided()) {
        decide(due.trace, root, out);
      }
    }
    for (Due due = rootless.peek(); due != null && due.time <= now; due = rootless.peek()) {
      rootless.remove();
      if (due.trace.root == null && due.trace.isUndecided()) {
        traces.settle(due.trace, out);
      }
    }
    connections.forgetUntil(now - memory);
  }

  /** Decides everything, as if all time had passed. */
  public void flush(Consumer<Span> out) {
    long before = now;
    advance(Long.MAX_VALUE, out);
    traces.flush(out);
    now = before;
  }

  private void decide(Trace trace, Half server, Consumer<Span> out) {
    Verdict verdict =
        server.connection.hasBothSides()
            ? SameConnection.decide(server, server.connection.clients, margin)
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

  /** How many entries there are beside these whose number grows with that of spans. */
  int remembered() {
    return connections.size() + rooted.size() + rootless.size();
  }

  public StitcherCounts counts() {
    return new StitcherCounts(
        injected, adopted, stitched, orphaned, ambiguous, traces.evicted(), traces.late());
  }
}
