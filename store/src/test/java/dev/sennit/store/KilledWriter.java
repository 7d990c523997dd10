/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.store;

import dev.sennit.intake.Answer;
import io.opentelemetry.proto.trace.v1.Span;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes numbered spans until it is killed, and says which numbers were taken and when, and how
 * many were written. The name of the spans is the round, their start is the number.
 */
final class KilledWriter {
  static final int SPANS_OF_A_REQUEST = 50;

  /** Small, so that the log of changes often goes into the tables. */
  static final StoreSettings SETTINGS = StoreSettings.NAMED.withMaxBytes(128 << 20);

  /** Who waits so long for a processor has no second that it could promise. */
  private static final long HELD_UP_NANOS = 100_000_000;

  private KilledWriter() {}

  public static void main(String[] arguments) throws InterruptedException {
    Path file = Path.of(arguments[0]);
    int round = Integer.parseInt(arguments[1]);
    TelemetryStore store = TelemetryStore.open(file, SETTINGS);
    long number = 0;
    for (int turn = 0; ; turn++) {
      long begin = System.nanoTime();
      if (store.traces(Otlp.traces("killed", spans(round, number))) instanceof Answer.Taken) {
        number += SPANS_OF_A_REQUEST;
        System.out.println("taken " + number + " at " + System.currentTimeMillis());
      }
      if (turn % 10 == 0) {
        System.out.println("written " + store.statistics().written().spans());
      }
      Thread.sleep(2);
      if (System.nanoTime() - begin > HELD_UP_NANOS) {
        System.out.println("held up");
      }
    }
  }

  private static List<Span> spans(int round, long number) {
    List<Span> spans = new ArrayList<>();
    for (long i = number; i < number + SPANS_OF_A_REQUEST; i++) {
      spans.add(
          Otlp.span(Otlp.trace(round), Otlp.span(i + 1), "round " + round)
              .setStartTimeUnixNano(i)
              .addAttributes(Otlp.attribute("number", i))
              .build());
    }
    return spans;
  }
}
