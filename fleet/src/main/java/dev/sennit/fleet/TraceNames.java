/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.fleet.TraceState.Stage;
import dev.sennit.intake.Encoding;
import dev.sennit.tracing.Counters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
  static final String WAITING = "waiting-pages";
  static final String WAITING_ON_DISK = "waiting-pages-on-disk";
  static final String NAMED = "named";

  /** A trace that so many others wait for lets the rest go. */
  private static final int MOST_ASKERS = 8192;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  private final FleetSettings settings;
  private final Counters<FleetCount> counters;
  private final WaitingMemory memory;
  private final StreamClock clock;
  private @Nullable Tables tables;

  /** What is there while it runs. */
  private record Tables(
      ProcessorContext<Integer, Parcel> context,
      WaitingTraces waiting,
      NamedTraces named,
      Outbox outbox) {}

  /** A span, and what has to be known of it. */
  private record Arrived(Placed placed, SpanHead head) {}

  TraceNames(FleetSettings settings, Counters<FleetCount> counters, WaitingMemory memory) {
    this.settings = settings;
    this.counters = counters;
    this.memory = memory;
    clock = new StreamClock(settings.patience(), settings.silence(), settings.partitions());
  }

  @Override
  public void init(ProcessorContext<Integer, Parcel> context) {
    tables =
        new Tables(
            context,
            new WaitingTraces(
                context.getStateStore(WAITING),
                context.getStateStore(WAITING_ON_DISK),
                memory,
                settings.waiting()),
            new NamedTraces(context.getStateStore(NAMED), settings.retention()),
            new Outbox(context, settings.partitions(), counters));
    context.schedule(BETWEEN_LOOKS, PunctuationType.WALL_CLOCK_TIME, this::look);
  }

  /** Another process has the partition now. */
  @Override
  public void close() {
    if (tables != null) {
      tables.waiting.release();
    }
  }

  @Override
  public void process(Record<Integer, Parcel> record) {
    Tables now = Objects.requireNonNull(tables);
    long hostTime = now.context.currentSystemTimeMs();
    if (record.value() instanceof Parcel.Spans spans) {
      clock.observe(spans.source(), record.timestamp(), hostTime);
    }
    long time = clock.now(hostTime);
    // Before all sources were heard, time has not come as far as what is here.
    long come = Math.max(time, Math.min(record.timestamp(), hostTime));
    now.outbox.open(record.timestamp(), time);
    now.waiting.open(come);
    switch (record.value()) {
      case Parcel.Spans spans -> take(now, spans, record.timestamp(), come);
      case Parcel.Letters letters -> letters.letters().forEach(letter -> read(now, letter));
      default -> throw new IllegalArgumentException("nobody sends here: " + record.value());
    }
    now.waiting.close();
    now.outbox.close();
  }

  private void take(Tables now, Parcel.Spans parcel, long sentAt, long time) {
    Map<TraceId, List<Arrived>> byTrace = new LinkedHashMap<>();
    RawRequest.forEach(
        parcel.request(),
        placed -> {
          SpanHead head = SpanHead.of(placed.span());
          byTrace
              .computeIfAbsent(head.trace(), fresh -> new ArrayList<>(4))
              .add(new Arrived(placed, head));
        });
    Map<ByteString, ByteString> reduced = new HashMap<>();
    byTrace.forEach(
        (trace, spans) -> {
          TraceState known = find(now, trace);
          TraceState state = known == null ? new TraceState(trace) : known;
          spans.removeIf(arrived -> isDuplicate(state, arrived.head));
          if (spans.isEmpty()) {
            return;
          }
          state.touched = time;
          if (known == null) {
            state.due = time + settings.waiting().toMillis();
          }
          boolean waits = known != null && state.stage != Stage.NAMED;
          for (Arrived arrived : spans) {
            take(now, state, reduced, arrived, sentAt, time);
          }
          if (state.stage != Stage.NAMED) {
            spans.forEach(arrived -> now.waiting.hold(state, parcel.encoding(), arrived.placed));
            return;
          }
          if (waits) {
            now.waiting.end(state, (encoding, placed) -> send(now, state, encoding, placed));
          }
          spans.forEach(arrived -> send(now, state, parcel.encoding(), arrived.placed));
          now.named.put(state);
        });
  }

  private static @Nullable TraceState find(Tables now, TraceId trace) {
    TraceState waiting = now.waiting.get(trace);
    return waiting == null ? now.named.get(trace) : waiting;
  }

  private boolean isDuplicate(TraceState state, SpanHead head) {
    boolean duplicate = !state.spans.add(head.id());
    if (duplicate) {
      counters.add(FleetCount.DUPLICATES);
    }
    return duplicate;
  }

  private void take(
      Tables now,
      TraceState state,
      Map<ByteString, ByteString> reduced,
      Arrived arrived,
      long sentAt,
      long time) {
    SpanHead head = arrived.head;
    HalfSpan half = HalfSpan.of(head);
    if (half != null && head.end() / 1_000_000 > sentAt + settings.grace().toMillis()) {
      counters.add(FleetCount.CLOCK_AHEAD);
      half = null;
    }
    if (head.isRoot() && state.stage == Stage.OPEN) {
      if (half != null && head.isServer()) {
        state.stage = Stage.ROOTED;
        state.root = head.id();
        state.due = time + settings.retention().toMillis();
      } else {
        name(now, state, state.name);
      }
    } else if (head.isRoot() && head.isServer()) {
      // Its spans have gone, or wait for another root: whatever is found, it changes nothing.
      half = null;
    }
    if (half != null) {
      ByteString resource =
          reduced.computeIfAbsent(arrived.placed.resource(), HalfSpan::reducedResource);
      now.outbox.half(half.client(), half.sent(resource));
    }
  }

  private void read(Tables now, Letter letter) {
    if (letter instanceof Letter.Ask ask) {
      answer(now, ask);
      return;
    }
    TraceState state = now.waiting.get(letter.to());
    if (state == null) {
      counters.add(FleetCount.TOO_LATE);
      return;
    }
    switch (letter) {
      case Letter.NotFound _ -> {
        counters.add(FleetCount.NOT_JOINED);
        finish(now, state, letter.to());
      }
      case Letter.Found found when found.above().equals(found.to()) -> {
        counters.add(FleetCount.NOT_JOINED);
        finish(now, state, found.to());
      }
      case Letter.Found found -> {
        state.stage = Stage.BELOW;
        state.parent = found.clientSpan();
        state.name = found.above();
        now.outbox.letter(new Letter.Ask(found.above(), found.to()));
        now.waiting.changed(state);
      }
      case Letter.Named named -> {
        counters.add(FleetCount.JOINED);
        finish(now, state, named.name());
      }
      case Letter.Ask _ -> throw new IllegalStateException("is answered above");
    }
  }

  private static void answer(Tables now, Letter.Ask ask) {
    TraceState state = find(now, ask.to());
    if (state == null || state.stage == Stage.NAMED) {
      TraceId name = state == null ? ask.to() : state.name;
      now.outbox.letter(new Letter.Named(ask.asker(), name));
    } else if (state.askers.size() < MOST_ASKERS) {
      state.askers.add(ask.asker());
      now.waiting.changed(state);
    } else {
      now.outbox.letter(new Letter.NotFound(ask.asker()));
    }
  }

  /** The trace has its name, and what waited for it goes. */
  private void finish(Tables now, TraceState state, TraceId name) {
    name(now, state, name);
    now.waiting.end(state, (encoding, placed) -> send(now, state, encoding, placed));
    now.named.put(state);
  }

  private static void name(Tables now, TraceState state, TraceId name) {
    state.stage = Stage.NAMED;
    state.name = name;
    state.askers.forEach(asker -> now.outbox.letter(new Letter.Named(asker, name)));
    state.askers.clear();
  }

  private void send(Tables now, TraceState state, Encoding encoding, Placed placed) {
    counters.add(FleetCount.FINISHED);
    if (state.trace.equals(state.name)) {
      now.outbox.finished(encoding, placed);
    } else {
      counters.add(FleetCount.RENAMED);
      now.outbox.finished(encoding, placed.with(Renaming.of(placed.span(), state)));
    }
  }

  /** Lets go what has waited long enough, and forgets what is old. */
  private void look(long hostTime) {
    Tables now = Objects.requireNonNull(tables);
    long time = clock.now(hostTime);
    now.outbox.open(time, time);
    now.waiting.open(time);
    now.waiting.look(
        state -> {
          counters.add(state.stage == Stage.OPEN ? FleetCount.WITHOUT_ROOT : FleetCount.GIVEN_UP);
          state.parent = 0;
          finish(now, state, state.trace);
        });
    now.waiting.close();
    now.outbox.close();
    now.named.forgetSome(time, BETWEEN_LOOKS);
  }
}
