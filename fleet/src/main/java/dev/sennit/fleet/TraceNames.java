/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import dev.sennit.fleet.Gathering.Placed;
import dev.sennit.fleet.TraceState.Stage;
import dev.sennit.intake.Encoding;
import dev.sennit.tracing.Counters;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Decides what traces are called, in the partition that they are at home in. Spans wait there while
 * the name of their trace is not known, and go out under it; what comes later goes out at once.
 */
final class TraceNames implements Processor<Integer, Parcel, Integer, Parcel> {
  static final String TRACES = "traces";
  static final String HELD = "held";

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  private final FleetSettings settings;
  private final Counters<FleetCount> counters;
  private final StreamClock clock;
  private @Nullable Tables tables;

  /** What is there while it runs. */
  private record Tables(
      ProcessorContext<Integer, Parcel> context,
      TraceStore traces,
      HeldSpans held,
      Outbox outbox) {}

  TraceNames(FleetSettings settings, Counters<FleetCount> counters) {
    this.settings = settings;
    this.counters = counters;
    clock = new StreamClock(settings.patience());
  }

  @Override
  public void init(ProcessorContext<Integer, Parcel> context) {
    TraceStore traces = new TraceStore(context.getStateStore(TRACES), settings.retention());
    HeldSpans held = new HeldSpans(context.getStateStore(HELD));
    held.traces(trace -> traces.wakeAt(Objects.requireNonNull(traces.get(trace)).due, trace));
    tables =
        new Tables(context, traces, held, new Outbox(context, settings.partitions(), counters));
    context.schedule(BETWEEN_LOOKS, PunctuationType.WALL_CLOCK_TIME, this::look);
  }

  @Override
  public void process(Record<Integer, Parcel> record) {
    Tables now = Objects.requireNonNull(tables);
    long hostTime = now.context.currentSystemTimeMs();
    if (record.value() instanceof Parcel.Spans spans) {
      clock.observe(spans.source(), record.timestamp(), hostTime);
    }
    long time = clock.now(hostTime);
    now.outbox.open(record.timestamp(), time);
    switch (record.value()) {
      case Parcel.Spans spans -> take(now, spans, record.timestamp(), time);
      case Parcel.Letters letters -> letters.letters().forEach(letter -> read(now, letter));
      default -> throw new IllegalArgumentException("nobody sends here: " + record.value());
    }
    now.outbox.close();
  }

  private void take(Tables now, Parcel.Spans parcel, long sentAt, long time) {
    Map<TraceId, List<Placed>> byTrace = new LinkedHashMap<>();
    Gathering.forEach(
        parcel.request(),
        placed ->
            byTrace
                .computeIfAbsent(
                    TraceId.of(placed.span().getTraceId()), fresh -> new ArrayList<>(4))
                .add(placed));
    IdentityHashMap<ResourceSpans, ResourceSpans> reduced = new IdentityHashMap<>();
    byTrace.forEach(
        (trace, spans) -> {
          TraceState known = now.traces.get(trace);
          TraceState state = known == null ? new TraceState(trace) : known;
          spans.removeIf(placed -> isDuplicate(state, placed.span()));
          if (spans.isEmpty()) {
            return;
          }
          state.touched = time;
          if (known == null) {
            state.due = time + settings.waiting().toMillis();
          }
          boolean rootless = state.stage == Stage.OPEN;
          for (Placed placed : spans) {
            take(now, state, reduced, placed, sentAt, time);
          }
          if (state.stage == Stage.NAMED) {
            if (rootless && known != null) {
              now.held.take(trace, (encoding, placed) -> send(now, state, encoding, placed));
            }
            spans.forEach(placed -> send(now, state, parcel.encoding(), placed));
          } else {
            now.held.put(trace, parcel.encoding(), spans);
            if (known == null) {
              now.traces.wakeAt(state.due, trace);
            }
          }
          now.traces.put(trace, state);
        });
  }

  private boolean isDuplicate(TraceState state, Span span) {
    boolean duplicate = !state.add(HalfSpan.spanId(span.getSpanId()));
    if (duplicate) {
      counters.add(FleetCount.DUPLICATES);
    }
    return duplicate;
  }

  private void take(
      Tables now,
      TraceState state,
      IdentityHashMap<ResourceSpans, ResourceSpans> reduced,
      Placed placed,
      long sentAt,
      long time) {
    Span span = placed.span();
    ConnectionEnds ends = HalfSpan.ends(span);
    if (ends != null
        && span.getEndTimeUnixNano() / 1_000_000 > sentAt + settings.grace().toMillis()) {
      counters.add(FleetCount.CLOCK_AHEAD);
      ends = null;
    }
    boolean root = HalfSpan.isRoot(span);
    if (root && state.stage == Stage.OPEN) {
      if (ends != null && span.getKind() == SpanKind.SPAN_KIND_SERVER) {
        state.stage = Stage.ROOTED;
        state.root = HalfSpan.spanId(span.getSpanId());
        state.due = time + settings.retention().toMillis();
      } else {
        name(now, state, state.name);
      }
    } else if (root && span.getKind() == SpanKind.SPAN_KIND_SERVER) {
      // Its spans have gone, or wait for another root: whatever is found, it changes nothing.
      ends = null;
    }
    if (ends != null) {
      now.outbox.half(
          ends.client(),
          HalfSpan.reduce(
              reduced.computeIfAbsent(placed.resource(), HalfSpan::reduce), placed.span()));
    }
  }

  private void read(Tables now, Letter letter) {
    TraceState state = now.traces.get(letter.to());
    if (letter instanceof Letter.Ask ask) {
      if (state != null && state.stage != Stage.NAMED) {
        state.askers.add(ask.asker());
        now.traces.put(ask.to(), state);
      } else {
        TraceId name = state == null ? ask.to() : state.name;
        now.outbox.letter(new Letter.Named(ask.asker(), name));
      }
      return;
    }
    if (state == null || state.stage == Stage.NAMED) {
      counters.add(FleetCount.TOO_LATE);
      return;
    }
    switch (letter) {
      case Letter.NotFound _ -> {
        counters.add(FleetCount.NOT_JOINED);
        finish(now, letter.to(), state, letter.to());
      }
      case Letter.Found found when found.above().equals(found.to()) -> {
        counters.add(FleetCount.NOT_JOINED);
        finish(now, found.to(), state, found.to());
      }
      case Letter.Found found -> {
        state.stage = Stage.BELOW;
        state.parent = found.clientSpan();
        state.name = found.above();
        now.outbox.letter(new Letter.Ask(found.above(), found.to()));
        now.traces.put(found.to(), state);
      }
      case Letter.Named named -> {
        counters.add(FleetCount.JOINED);
        finish(now, named.to(), state, named.name());
      }
      case Letter.Ask _ -> throw new IllegalStateException("is answered above");
    }
  }

  /** The trace has its name, and what waited for it goes. */
  private void finish(Tables now, TraceId trace, TraceState state, TraceId name) {
    name(now, state, name);
    now.held.take(trace, (encoding, placed) -> send(now, state, encoding, placed));
    now.traces.put(trace, state);
  }

  private static void name(Tables now, TraceState state, TraceId name) {
    state.stage = Stage.NAMED;
    state.name = name;
    state.askers.forEach(asker -> now.outbox.letter(new Letter.Named(asker, name)));
    state.askers.clear();
  }

  private void send(Tables now, TraceState state, Encoding encoding, Placed placed) {
    Span renamed = Renaming.of(placed.span(), state);
    counters.add(FleetCount.FINISHED);
    if (!renamed.getTraceId().equals(placed.span().getTraceId())) {
      counters.add(FleetCount.RENAMED);
    }
    now.outbox.finished(encoding, placed.with(renamed));
  }

  /** Lets go what has waited long enough, and forgets what is old. */
  private void look(long hostTime) {
    Tables now = Objects.requireNonNull(tables);
    long time = clock.now(hostTime);
    now.outbox.open(time, time);
    now.traces.due(
        time,
        (trace, state) -> {
          counters.add(state.stage == Stage.OPEN ? FleetCount.WITHOUT_ROOT : FleetCount.GIVEN_UP);
          state.parent = 0;
          finish(now, trace, state, trace);
        });
    now.outbox.close();
    now.traces.forgetSome(time, BETWEEN_LOOKS);
  }
}
