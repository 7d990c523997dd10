/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.profiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.profiles.Converted.Observation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.openjdk.jmc.flightrecorder.writer.api.Types;

/** Whatever events a recording holds, the profiles are valid and nothing is lost. */
class ConversionPropertyTest {
  private static final Map<String, ProfileType> EVENTS =
      Map.of(
          "datadog.ExecutionSample", ProfileType.CPU,
          "datadog.MethodSample", ProfileType.WALL,
          "datadog.ObjectSample", ProfileType.ALLOC,
          "jdk.NativeMethodSample", ProfileType.NATIVE,
          "profiler.Malloc", ProfileType.NATIVE_MEMORY);

  /** An event; a thread of 0 is none, a stack of null is none. */
  record Written(
      String event,
      long time,
      int thread,
      List<String> stack,
      boolean truncated,
      long spanId,
      long rootSpanId,
      long size,
      String type) {
    long value() {
      return switch (EVENTS.get(event)) {
        case ALLOC, NATIVE_MEMORY -> size;
        case null, default -> 1;
      };
    }
  }

  @Property(tries = 150)
  void theProfilesAreValidAndNothingIsLost(@ForAll("events") List<Written> events)
      throws IOException {
    Path file = Files.createTempFile("property", ".jfr");
    try {
      write(file, events);
      Converted converted = Converted.of(file);
      Converted sums = Converted.of(ConversionOptions.defaults().withAggregate(true), file);
      EVENTS.forEach(
          (event, type) -> {
            List<Written> expected = events.stream().filter(e -> e.event.equals(event)).toList();
            List<Observation> actual = converted.observations(type);
            assertThat(actual)
                .extracting(ConversionPropertyTest::describe)
                .containsExactlyInAnyOrderElementsOf(
                    expected.stream().map(ConversionPropertyTest::describe).toList());
            assertThat(sums.total(type))
                .isEqualTo(expected.stream().mapToLong(Written::value).sum());
          });
    } finally {
      Files.delete(file);
    }
  }

  private static String describe(Written event) {
    boolean linked = event.spanId != 0 && event.rootSpanId != 0;
    return (event.time + SampleWriter.START)
        + " "
        + event.value()
        + " "
        + event.stack.stream().map(method -> "com.acme.Works." + method).toList()
        + (event.thread == 0 ? "null" : event.thread)
        + (linked ? "%032x/%016x".formatted(event.rootSpanId, event.spanId) : "")
        + (event.truncated && !event.stack.isEmpty());
  }

  private static String describe(Observation sample) {
    return sample.time()
        + " "
        + sample.value()
        + " "
        + sample.stack().stream().map(Converted.Frame::name).toList()
        + sample.attributes().get("thread.id")
        + sample.link()
        + sample.attributes().containsKey("sennit.stack.truncated");
  }

  private static void write(Path file, List<Written> events) throws IOException {
    try (SampleWriter writer = new SampleWriter(file)) {
      EVENTS.forEach(
          (name, type) ->
              writer.declare(
                  name,
                  Map.of(
                      "spanId",
                      Types.Builtin.LONG,
                      "localRootSpanId",
                      Types.Builtin.LONG,
                      "size",
                      Types.Builtin.LONG),
                  true));
      for (Written event : events) {
        writer.write(
            event.event,
            event.time,
            value -> {
              if (event.thread != 0) {
                value.putField("eventThread", writer.thread(event.thread, "t" + event.thread));
              }
              if (!event.stack.isEmpty()) {
                value.putField("stackTrace", writer.stack(event.truncated, event.stack));
              }
              value
                  .putField("spanId", event.spanId)
                  .putField("localRootSpanId", event.rootSpanId)
                  .putField("size", event.size)
                  .putField("objectClass", writer.type(event.type));
            });
      }
    }
  }

  @Provide
  Arbitrary<List<Written>> events() {
    Arbitrary<String> names = Arbitraries.of(EVENTS.keySet());
    Arbitrary<Long> times = Arbitraries.longs().between(-1_000_000, 10_000_000_000L);
    Arbitrary<List<String>> stacks =
        Arbitraries.of("a", "b", "\u00fc\u4e2d", "run").list().ofMaxSize(5);
    return Combinators.combine(
            names,
            times,
            Arbitraries.integers().between(0, 3),
            stacks,
            Arbitraries.of(true, false),
            Arbitraries.of(0L, 1L, -1L, Long.MIN_VALUE),
            Arbitraries.of(0L, 2L, -2L),
            Combinators.combine(
                    Arbitraries.longs().between(0, 1L << 40),
                    Arbitraries.of("java/lang/String", "[B", "[[I"))
                .as(Map::entry))
        .as(
            (name, time, thread, stack, truncated, span, root, object) ->
                new Written(
                    name,
                    time,
                    thread,
                    stack,
                    truncated,
                    span,
                    root,
                    object.getKey(),
                    object.getValue()))
        .list()
        .ofMaxSize(40);
  }
}
