/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import com.google.protobuf.ByteString;
import dev.sennit.fleet.Parcel.Halves;
import dev.sennit.fleet.Parcel.Letters;
import dev.sennit.otlp.Resource;
import dev.sennit.tracing.span.Span;
import dev.sennit.tracing.stitch.Stitcher;
import dev.sennit.tracing.stitch.StitcherSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Finds which SERVER spans are the other side of which CLIENT spans, among those whose connection
 * is at home in its partition, with the stitcher that the daemon has for one host.
 *
 * <p>The stitcher is in memory. What it was told, and when, is in a window store as well, with the
 * time until which it has answered: after a restart it is told the same in the same order, and its
 * answers until that time are not sent again.
 */
final class PairFinder implements Processor<Integer, Halves, Integer, Letters> {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

  /** A second of some ten thousand spans, many times. */
  private static final int HELD_SPANS = 1_000_000;

  private static final int REMEMBERED_CONNECTIONS = 262_144;
  private static final int REMEMBERED_HOSTS = 16_384;

  private final FleetSettings settings;
  private final StreamClock clock;
  private final Stitcher stitcher;
  private final LetterBox letters;
  private final Map<ByteString, Resource> hosts = new HashMap<>();
  private @Nullable ProcessorContext<Integer, Letters> context;
  private @Nullable Journal journal;

  /** The time that the stitcher was told last. */
  private long told;

  PairFinder(FleetSettings settings) {
    this.settings = settings;
    clock = new StreamClock(settings.patience(), settings.silence(), settings.partitions());
    letters = new LetterBox(settings.partitions());
    stitcher =
        new Stitcher(
            StitcherSettings.defaults()
                .withWindow(settings.window())
                .asOneOfSeveral(HELD_SPANS, REMEMBERED_CONNECTIONS));
  }

  @Override
  public void init(ProcessorContext<Integer, Letters> newContext) {
    context = newContext;
    journal = new Journal(newContext);
    journal.replay(
        halves -> {
          advance(halves.clock(), answeredBefore -> {});
          add(halves, answeredBefore -> {});
        });
    advance(journal.answeredUntil(), answeredBefore -> {});
    clock.startAt(told);
    newContext.schedule(BETWEEN_LOOKS, PunctuationType.WALL_CLOCK_TIME, this::look);
  }

  @Override
  public void process(Record<Integer, Halves> record) {
    long hostTime = Objects.requireNonNull(context).currentSystemTimeMs();
    Halves halves = record.value();
    clock.observe(halves.source(), halves.clock(), hostTime);
    look(hostTime);
    Halves heard = new Halves(halves.source(), told, halves.request());
    Objects.requireNonNull(journal).write(heard, Math.min(record.timestamp(), hostTime));
    add(heard, this::answer);
  }

  private void look(long hostTime) {
    long time = clock.now(hostTime);
    if (time > told) {
      advance(time, this::answer);
      Objects.requireNonNull(journal).answered(time);
      letters.flush(
          (bucket, parcel) ->
              Objects.requireNonNull(context).forward(new Record<>(bucket, parcel, time)));
    }
  }

  /** What came until now is considered, but for what may still come within the grace. */
  private void advance(long time, Consumer<Span> out) {
    if (time > told) {
      told = time;
      stitcher.advance((time - settings.grace().toMillis()) * 1_000_000, out);
    }
  }

  private void add(Halves halves, Consumer<Span> out) {
    RawRequest.forEach(
        halves.request(),
        half -> {
          Span told = HalfSpan.told(half.span(), host(half.resource()));
          if (told != null) {
            stitcher.add(told, out);
          }
        });
  }

  private Resource host(ByteString reduced) {
    if (hosts.size() >= REMEMBERED_HOSTS) {
      hosts.clear();
    }
    return hosts.computeIfAbsent(reduced, HalfSpan::host);
  }

  private void answer(Span span) {
    Letter verdict = HalfSpan.verdict(span);
    if (verdict != null) {
      letters.add(verdict);
    }
  }
}
