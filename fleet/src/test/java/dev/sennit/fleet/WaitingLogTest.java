/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.sennit.fleet.RawRequest.Placed;
import dev.sennit.fleet.TraceState.Stage;
import dev.sennit.intake.Encoding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the log of waiting traces knows after a restart is what was known before. */
class WaitingLogTest {
  private static final Duration WAITING = Duration.ofSeconds(11);
  private static final int TRACES = 40;

  private final KeyValueStore<Bytes, byte[]> inMemory = store("memory");
  private final KeyValueStore<Bytes, byte[]> onDisk = store("disk");

  /** What is to be known of a trace that waits. */
  private record Known(Stage stage, long due, List<TraceId> askers, List<String> spans) {}

  private static KeyValueStore<Bytes, byte[]> store(String name) {
    KeyValueStore<Bytes, byte[]> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    store.init(new MockProcessorContext<>().getStateStoreContext(), store);
    return store;
  }

  @ParameterizedTest
  @CsvSource({"1, 1000000", "2, 1000000", "3, 0", "4, 3000"})
  void whatIsKnownAfterARestartIsWhatWasKnownBefore(long seed, long mostInMemory) {
    Random random = new Random(seed);
    WaitingMemory memory = new WaitingMemory(mostInMemory, Long.MAX_VALUE);
    WaitingTraces traces = new WaitingTraces(inMemory, onDisk, memory, WAITING);
    Map<TraceId, Known> model = new TreeMap<>(WaitingLogTest::compare);
    long time = 1_000_000;
    int restarts = 0;
    for (int step = 0; step < 3_000; step++) {
      time += random.nextInt(1_000);
      traces.open(time);
      for (int change = random.nextInt(6); change >= 0; change--) {
        if (random.nextInt(12) == 0) {
          look(traces, model, time);
        } else {
          change(random, traces, model, time);
        }
      }
      traces.close();
      if (random.nextInt(20) == 0) {
        traces.release();
        traces = new WaitingTraces(inMemory, onDisk, memory, WAITING);
        restarts++;
      }
    }
    assertThat(restarts).isGreaterThan(50);
    assertThat(model).isNotEmpty();

    traces.open(time);
    for (TraceId trace : List.copyOf(model.keySet())) {
      end(traces, model, trace);
    }
    traces.close();
    assertThat(pages(inMemory) + pages(onDisk)).isZero();
    assertThat(memory.hasRoom()).isEqualTo(mostInMemory > 0);
  }

  private static int compare(TraceId one, TraceId other) {
    return Long.compare(one.low(), other.low());
  }

  private static void change(
      Random random, WaitingTraces traces, Map<TraceId, Known> model, long time) {
    TraceId trace = new TraceId(7, 1 + random.nextInt(TRACES));
    TraceState known = traces.get(trace);
    assertThat(known == null).isEqualTo(!model.containsKey(trace));
    if (known != null && random.nextInt(5) == 0) {
      end(traces, model, trace);
      return;
    }
    TraceState state = known == null ? new TraceState(trace) : known;
    if (known == null) {
      // Some wait for much longer than others.
      state.due = time + WAITING.toMillis() * (1 + random.nextInt(6));
      model.put(trace, new Known(Stage.OPEN, state.due, new ArrayList<>(), new ArrayList<>()));
    }
    Known expected = Objects.requireNonNull(model.get(trace));
    if (random.nextInt(3) == 0) {
      state.stage = state.stage == Stage.OPEN ? Stage.ROOTED : Stage.BELOW;
      TraceId asker = new TraceId(random.nextLong(), random.nextLong());
      state.askers.add(asker);
      expected.askers.add(asker);
      model.put(trace, new Known(state.stage, state.due, expected.askers, expected.spans));
      traces.changed(state);
    }
    for (int more = random.nextInt(3); more >= 0; more--) {
      long id = random.nextLong();
      assertThat(state.spans.add(id)).isTrue();
      String span = id + "x".repeat(random.nextInt(200));
      Encoding encoding = random.nextBoolean() ? Encoding.JSON : Encoding.PROTOBUF;
      String host = "host-" + random.nextInt(3);
      traces.hold(
          state,
          encoding,
          new Placed(
              ByteString.copyFromUtf8(host),
              ByteString.copyFromUtf8("scope"),
              ByteString.copyFromUtf8(span)));
      expected.spans.add(encoding + " " + host + " " + span);
    }
  }

  private static void end(WaitingTraces traces, Map<TraceId, Known> model, TraceId trace) {
    TraceState state = Objects.requireNonNull(traces.get(trace));
    check(traces, model, state);
    assertThat(traces.get(trace)).isNull();
  }

  /** Takes it out of both, and compares all that was known. */
  private static void check(WaitingTraces traces, Map<TraceId, Known> model, TraceState state) {
    Known expected = Objects.requireNonNull(model.remove(state.trace));
    assertThat(state.stage).isEqualTo(expected.stage);
    assertThat(state.due).isEqualTo(expected.due);
    assertThat(state.askers).containsExactlyElementsOf(expected.askers);
    for (String span : expected.spans) {
      long id = Long.parseLong(span.split(" ")[2].replace("x", ""));
      assertThat(state.spans.add(id)).as("%s comes for the first time", span).isFalse();
    }
    state.stage = Stage.NAMED;
    List<String> spans = new ArrayList<>();
    traces.end(
        state,
        (encoding, placed) ->
            spans.add(
                encoding
                    + " "
                    + placed.resource().toStringUtf8()
                    + " "
                    + placed.span().toStringUtf8()));
    assertThat(spans).containsExactlyElementsOf(expected.spans);
  }

  private static void look(WaitingTraces traces, Map<TraceId, Known> model, long time) {
    traces.look(
        state -> {
          assertThat(state.due).isLessThanOrEqualTo(time);
          check(traces, model, state);
        });
    assertThat(model.values())
        .filteredOn(known -> known.stage == Stage.OPEN)
        .allMatch(known -> known.due > time);
  }

  private static int pages(KeyValueStore<Bytes, byte[]> store) {
    int count = 0;
    try (KeyValueIterator<Bytes, byte[]> entries = store.all()) {
      for (; entries.hasNext(); entries.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void aTraceThatWaitsLongKeepsNoOldPages() {
    WaitingMemory memory = new WaitingMemory(Long.MAX_VALUE, Long.MAX_VALUE);
    WaitingTraces traces = new WaitingTraces(inMemory, onDisk, memory, WAITING);
    TraceState patient = new TraceState(new TraceId(7, 0));
    patient.due = Long.MAX_VALUE;
    patient.stage = Stage.ROOTED;
    for (int step = 0; step < 1_000; step++) {
      long time = step * 1_000L;
      traces.open(time);
      if (step == 0) {
        traces.hold(patient, Encoding.PROTOBUF, placed("first"));
      }
      TraceState brief = new TraceState(new TraceId(8, step));
      brief.due = time + WAITING.toMillis();
      traces.hold(brief, Encoding.PROTOBUF, placed("brief"));
      traces.look(
          state -> {
            state.stage = Stage.NAMED;
            traces.end(state, (encoding, placed) -> {});
          });
      traces.close();
      assertThat(pages(inMemory)).isLessThan(20);
    }
    traces.release();
    WaitingTraces again = new WaitingTraces(inMemory, onDisk, memory, WAITING);
    again.open(1_000_000);
    TraceState state = Objects.requireNonNull(again.get(patient.trace));
    state.stage = Stage.NAMED;
    List<String> spans = new ArrayList<>();
    again.end(state, (encoding, placed) -> spans.add(placed.span().toStringUtf8()));
    assertThat(spans).containsExactly("first");
  }

  @Test
  void noPageIsLargerThanABrokerTakes() {
    WaitingMemory memory = new WaitingMemory(Long.MAX_VALUE, Long.MAX_VALUE);
    WaitingTraces traces = new WaitingTraces(inMemory, onDisk, memory, WAITING);
    traces.open(0);
    for (int i = 0; i < 30; i++) {
      TraceState state = new TraceState(new TraceId(8, i));
      state.due = Long.MAX_VALUE;
      for (int asker = 0; asker < 8192; asker++) {
        state.askers.add(new TraceId(i, asker));
      }
      traces.hold(state, Encoding.PROTOBUF, placed("x".repeat(20_000)));
    }
    traces.close();
    assertThat(largest()).isBetween(100_000, 1_000_000);

    traces.open(1_000_000);
    traces.look(state -> {});
    traces.close();
    assertThat(largest()).isBetween(100_000, 1_000_000);
    traces.release();
    WaitingTraces again = new WaitingTraces(inMemory, onDisk, memory, WAITING);
    for (int i = 0; i < 30; i++) {
      TraceState state = Objects.requireNonNull(again.get(new TraceId(8, i)));
      assertThat(state.askers).hasSize(8192);
      assertThat(state.held).hasSize(1);
    }
  }

  private int largest() {
    int largest = 0;
    try (KeyValueIterator<Bytes, byte[]> entries = inMemory.all()) {
      while (entries.hasNext()) {
        largest = Math.max(largest, entries.next().value.length);
      }
    }
    return largest;
  }

  private static Placed placed(String span) {
    return new Placed(ByteString.EMPTY, ByteString.EMPTY, ByteString.copyFromUtf8(span));
  }

  @Test
  void whatIsTooMuchForTheMemoryWaitsNoLongerTheOldestFirst() {
    WaitingMemory memory = new WaitingMemory(Long.MAX_VALUE, 10_000);
    WaitingTraces traces = new WaitingTraces(inMemory, onDisk, memory, WAITING);
    List<Long> gone = new ArrayList<>();
    for (int step = 0; step < 200; step++) {
      traces.open(1_000_000);
      TraceState state = new TraceState(new TraceId(8, step));
      state.due = Long.MAX_VALUE;
      traces.hold(state, Encoding.PROTOBUF, placed("span"));
      traces.close();
      traces.open(1_000_000);
      traces.look(
          overdue -> {
            gone.add(overdue.trace.low());
            overdue.stage = Stage.NAMED;
            traces.end(overdue, (encoding, placed) -> {});
          });
      traces.close();
      assertThat(memory.isFull()).isFalse();
    }
    assertThat(gone).hasSizeGreaterThan(150).isSorted().startsWith(0L, 1L);
  }
}
