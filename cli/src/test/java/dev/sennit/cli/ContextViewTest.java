/*
 * Copyright The Sennit Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package dev.sennit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sennit.context.process.ProcessContext;
import dev.sennit.context.reader.ProcessReading;
import dev.sennit.context.reader.ThreadReading;
import dev.sennit.context.reader.ThreadRecord;
import dev.sennit.testing.Requires;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requires
class ContextViewTest {
  private static final String LEAVE = "\u001b[?25h\u001b[?1049l";

  private final StringWriter written = new StringWriter();

  @Test
  void onATerminalAWatchStaysInItsPlaceAndLeavesTheScreenAsItWas() {
    try (ContextView view = view(new Terminal(true, true), true)) {
      view.show(report(1));
      String first = written.toString();
      assertThat(first).startsWith("\u001b[?1049h\u001b[?25l\u001b[H\u001b[1mprocess 7, ");
      assertThat(first).endsWith("\u001b[J");
      view.show(report(1));
      assertThat(written.toString().substring(first.length())).startsWith("\u001b[H\u001b[1m");
    }
    assertThat(written.toString()).endsWith(LEAVE);
  }

  @Test
  void moreLinesThanTheScreenHasAreCutAndCounted() {
    try (ContextView view = view(new Terminal(true, false), true)) {
      view.show(report(100));
    }
    assertThat(written.toString().lines()).hasSize(24);
    assertThat(written.toString()).contains("… and 79 more lines");
  }

  @Test
  void threadsComeFirstWhereThereIsNoRoomForAll() {
    ThreadRecord thread = new ThreadRecord(8, "worker", 1, 2, 3, 2, 1, Map.of());
    ContextReport all = report(100);
    try (ContextView view = view(new Terminal(true, false), true)) {
      view.show(new ContextReport(7, all.process(), new ThreadReading.Threads(List.of(thread), 0)));
    }
    assertThat(written.toString()).contains("worker").doesNotContain("key0", "more lines");
  }

  @Test
  void aLineLongerThanTheScreenIsCut() {
    try (ContextView view = view(new Terminal(true, false), true)) {
      view.show(
          new ContextReport(
              7,
              new ProcessReading.Published(
                  2, 1, ProcessContext.builder().resource("k", "v".repeat(500)).build()),
              null));
    }
    assertThat(written.toString()).contains("  k  " + "v".repeat(74) + "…\u001b[K");
  }

  @Test
  void onceAndForAllNothingIsMoved() {
    try (ContextView view = view(new Terminal(true, false), false)) {
      view.show(report(1));
    }
    assertThat(written.toString()).doesNotContain("\u001b");
  }

  @Test
  void inAPipeBlocksFollowEachOther() {
    try (ContextView view = view(new Terminal(false, false), true)) {
      view.show(report(1));
      view.show(report(1));
    }
    assertThat(written.toString().lines().filter(String::isEmpty)).hasSize(1);
    assertThat(written.toString()).doesNotContain("\u001b");
  }

  private ContextView view(Terminal terminal, boolean watch) {
    return new ContextView(new PrintWriter(written), terminal, false, watch);
  }

  private static ContextReport report(int attributes) {
    ProcessContext.Builder context = ProcessContext.builder();
    for (int i = 0; i < attributes; i++) {
      context.resource("key" + i, "value");
    }
    return new ContextReport(7, new ProcessReading.Published(2, 1, context.build()), null);
  }
}
